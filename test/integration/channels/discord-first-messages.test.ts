import { describe, expect, test } from "vitest";
import {
  CHANNEL,
  connect,
  DM,
  fake,
  OTHER_DM,
  remember,
  remembered,
  SERVER,
  said,
  seen,
} from "../../support/discord-session.js";

describe("the first direct message of a person", () => {
  const server = { [CHANNEL]: { last: "100", kind: "server", server: SERVER, bot: "555" } };
  const posts = () => fake.requests.filter((request) => request.startsWith("POST"));

  test("who is let in by name is found, though it was written during a break", async () => {
    await remember(server);
    fake.addPerson("42", OTHER_DM);
    fake.write(said(OTHER_DM, 99));
    fake.write(said(OTHER_DM, 105));
    const session = await connect({ people: ["42", "not-an-id"] });
    fake.ready([]);
    await session.until(() => session.inbound.length === 1);
    expect(seen(session)).toEqual(["direct 78: m105"]);
    await session.transport.close();
    expect(await remembered()).toEqual({
      ...server,
      [OTHER_DM]: { last: "105", kind: "direct", person: "42", bot: "555" },
    });
    expect(posts()).toEqual(["POST /users/@me/channels"]);
    fake.write(said(OTHER_DM, 106));
    const again = await connect({ people: ["42"] });
    fake.ready([]);
    await again.until(() => again.inbound.length === 1);
    expect([seen(again), posts().length]).toEqual([["direct 78: m106"], 1]);
  });

  test("a bot that never ran answers nothing old, and what follows is found", async () => {
    fake.addPerson("42", OTHER_DM);
    fake.addPerson("43", DM);
    fake.write(said(OTHER_DM, 99));
    // The last one, whom nobody knows, is asked for when the others are found.
    const first = await connect({ people: ["42", "43", "44"] });
    fake.ready([]);
    await fake.until(() => posts().length === 3);
    await first.until(() => first.states.at(-1)?.state === "connected");
    await first.transport.close();
    fake.write(said(OTHER_DM, 105));
    fake.write(said(DM, 106));
    const session = await connect();
    fake.ready([]);
    await session.until(() => session.inbound.length === 2);
    expect([seen(first), seen(session).toSorted()]).toEqual([[], ["direct 77: m106", "direct 78: m105"]]);
  });

  test("whom nobody knows is found as soon as they write again, before that", async () => {
    await remember(server);
    fake.write(said(OTHER_DM, 99));
    fake.write(said(OTHER_DM, 105));
    const session = await connect();
    fake.ready([]);
    fake.say(said(OTHER_DM, 107));
    await session.until(() => session.inbound.length === 2);
    expect(seen(session)).toEqual(["direct 78: m105", "direct 78: m107"]);
  });

  test("who wrote to a bot that never had a message is found by the time it first connected", async () => {
    const day = (n: number) => String(BigInt(Date.UTC(2026, 0, n) - 1_420_070_400_000) << 22n);
    await remember({ begun: { "555": day(2) } });
    fake.write(said(OTHER_DM, day(1), { content: "before" }));
    fake.write(said(OTHER_DM, day(3), { content: "missed" }));
    const session = await connect();
    fake.ready([]);
    fake.say(said(OTHER_DM, day(4), { content: "live" }));
    await session.until(() => session.inbound.length === 2);
    expect(seen(session)).toEqual(["direct 78: missed", "direct 78: live"]);
  });

  test("which a bot missed between two connections of its first process is found", async () => {
    const year = (n: number) => String(BigInt(Date.UTC(n, 0) - 1_420_070_400_000) << 22n);
    const session = await connect();
    fake.ready([]);
    await session.until(() => session.states.at(-1)?.state === "connected");
    fake.write(said(OTHER_DM, year(2015), { content: "before" }));
    fake.write(said(OTHER_DM, year(2100), { content: "missed" }));
    fake.ready([]);
    fake.say(said(OTHER_DM, year(2101), { content: "live" }));
    await session.until(() => session.inbound.some(({ message }) => message.Text === "live"));
    expect(seen(session)).toEqual(["direct 78: missed", "direct 78: live"]);
  });

  test("is asked for again when Discord fails, and not when it knows nobody of that id", async () => {
    await remember(server);
    fake.addPerson("42", OTHER_DM);
    fake.write(said(OTHER_DM, 105));
    fake.failNextOpening(400);
    fake.failNextOpening(500);
    const session = await connect({ people: ["41", "42"] });
    fake.ready([]);
    await session.until(() => session.inbound.length === 1 && session.states.at(-1)?.state === "connected");
    expect(posts()).toHaveLength(3);
    const whys = session.states.map((state) => ("why" in state ? state.why : undefined));
    expect(whys.filter((why) => why !== undefined)).toEqual([
      expect.stringContaining("messages cannot be received yet"),
    ]);
  });
});
