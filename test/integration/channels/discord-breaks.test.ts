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
  start,
  THREAD,
} from "../../support/discord-session.js";

const of = (list: string[], channel: string) => list.filter((one) => one.split(":")[0]?.endsWith(channel));

const formsOfMemory: Record<string, object> = {
  "with the place of each channel": {
    [CHANNEL]: { last: "100", kind: "server", server: SERVER, bot: "555" },
    [THREAD]: { last: "100", kind: "server", server: SERVER, parent: CHANNEL, bot: "555" },
    [DM]: { last: "100", kind: "direct", bot: "555" },
  },
  "of the first version, with ids alone": { [CHANNEL]: "100", [THREAD]: "100", [DM]: "100" },
};

type Step = "server" | "history" | "live";
const orders: Step[][] = [
  ["server", "history", "live"],
  ["server", "live", "history"],
  ["history", "server", "live"],
  ["history", "live", "server"],
  ["live", "server", "history"],
  ["live", "history", "server"],
];

describe.each(Object.entries(formsOfMemory))("a file %s", (_, memory) => {
  test.each(orders)("after READY: %s, then %s, then %s", async (...order) => {
    await remember(memory);
    for (const channel of [CHANNEL, THREAD, DM]) {
      fake.write(said(channel, 100));
      fake.write(said(channel, 101));
      fake.write(said(channel, 102));
    }
    fake.hold();
    const session = await connect();
    const steps: Record<Step, () => void> = {
      server: () => fake.guild(SERVER),
      history: () => fake.release(),
      live: () => {
        for (const channel of [CHANNEL, THREAD, DM]) fake.say(said(channel, 103));
        for (const channel of [CHANNEL, THREAD, DM]) fake.say(said(channel, 104));
      },
    };
    fake.ready([SERVER]);
    await session.until(() => session.states.at(-1)?.state === "connected");
    for (const step of order) {
      steps[step]();
      // Events go one after the other; nothing tells that one was read, so a question does that has its answer at once.
      await fetch(`${fake.settings.apiRoot}/v10/gateway/bot`);
    }
    await session.until(() => session.inbound.length >= 12);
    const all = seen(session);
    expect(of(all, " 77")).toEqual(["101", "102", "103", "104"].map((id) => `direct 77: m${id}`));
    expect(of(all, " 30")).toEqual(["101", "102", "103", "104"].map((id) => `channel 30: m${id}`));
    expect(of(all, "/31")).toEqual(["101", "102", "103", "104"].map((id) => `channel 30/31: m${id}`));
    expect(session.inbound.filter(({ addressed }) => addressed)).toHaveLength(4);
    await session.transport.close();
    expect(await remembered()).toEqual({
      [CHANNEL]: { last: "104", kind: "server", server: SERVER, bot: "555" },
      [THREAD]: { last: "104", kind: "server", server: SERVER, parent: CHANNEL, bot: "555" },
      [DM]: { last: "104", kind: "direct", bot: "555" },
    });
    expect(fake.identifies()).toBe(1);
  });
});

test("a mention of the bot's role that was missed is one, whenever the server becomes known", async () => {
  await remember({ [CHANNEL]: { last: "100", kind: "server", server: SERVER } });
  fake.write(said(CHANNEL, 101, { mention_roles: ["73"] }));
  const session = await connect();
  fake.ready([SERVER]);
  fake.say(said(CHANNEL, 102));
  await session.until(() => session.states.at(-1)?.state === "connected");
  expect(session.inbound).toEqual([]);
  fake.guild(SERVER);
  await session.until(() => session.inbound.length === 2);
  expect(session.inbound.map(({ addressed }) => addressed)).toEqual([true, false]);
});

test("a thread that the server does not list is asked for by its own id, and stays a thread", async () => {
  const closed = "35";
  fake.addChannel({ id: closed, type: 11, guild_id: "4", parent_id: "40" });
  await remember({ [closed]: "100" });
  fake.write(said(closed, 101));
  const session = await connect();
  fake.ready();
  await session.until(() => session.inbound.length === 1);
  expect(seen(session)).toEqual(["channel 40/35: m101"]);
  expect(fake.requests).toEqual(["GET /channels/35", "GET /channels/35/messages?after=100&limit=100"]);
});

test("channels and threads that were made during a break are read from their beginning", async () => {
  await remember({ [CHANNEL]: { last: "100", kind: "server", server: SERVER, bot: "555" } });
  // The first message of a forum's thread has the id of the thread.
  fake.addChannel({ id: "110", type: 11, guild_id: SERVER, parent_id: CHANNEL });
  fake.write(said("110", 110));
  fake.write(said("110", 112));
  fake.addChannel({ id: "111", type: 0, guild_id: SERVER });
  fake.write(said("111", 113));
  // One that the bot did not see before the break, and the channels of a server that it is new in.
  fake.write(said(THREAD, 114));
  fake.addChannel({ id: "115", type: 0, guild_id: "4" });
  fake.write(said("115", 116));
  const session = await connect();
  fake.ready([SERVER, "4"]);
  fake.guild("4");
  fake.guild(SERVER);
  await session.until(() => session.inbound.length === 3);
  fake.say(said(THREAD, 117));
  fake.say(said("115", 118));
  await session.until(() => session.inbound.length === 5);
  expect(seen(session).toSorted()).toEqual([
    "channel 111: m113",
    "channel 115: m118",
    "channel 30/110: m110",
    "channel 30/110: m112",
    "channel 30/31: m117",
  ]);
});

test("a server that is told of as unavailable is still waited for", async () => {
  await remember({ [CHANNEL]: { last: "100", kind: "server", server: SERVER, bot: "555" } });
  const session = await connect();
  fake.ready([SERVER]);
  fake.unavailable(SERVER);
  fake.say(said(CHANNEL, 101, { mention_roles: ["73"] }));
  fake.say(said(DM, 102));
  await session.until(() => session.inbound.length === 1);
  expect(seen(session)).toEqual(["direct 77: m102"]);
  session.inbound.length = 0;
  fake.guild(SERVER);
  await session.until(() => session.inbound.length === 1);
  expect(session.inbound.map(({ addressed }) => addressed)).toEqual([true]);
});

test("a channel that nobody lets us read holds nobody up, and is no direct conversation", async () => {
  await remember({ "99": "100", [DM]: "100" });
  fake.write(said(DM, 101));
  const session = await connect();
  fake.ready();
  await session.until(() => session.inbound.length === 1);
  expect(seen(session)).toEqual(["direct 77: m101"]);
});

test("while one conversation waits for its history, nothing in another is passed over", async () => {
  await remember({ [DM]: { last: "100", kind: "direct" }, [OTHER_DM]: { last: "100", kind: "direct" } });
  fake.write(said(OTHER_DM, 101));
  fake.hold();
  const session = await connect();
  fake.ready();
  fake.say(said(OTHER_DM, 102));
  await fake.until(() => fake.requests.length === 2);
  fake.release();
  await session.until(() => session.inbound.length === 2);
  expect(seen(session)).toEqual(["direct 78: m101", "direct 78: m102"]);
});

test("more live messages than there is room for are asked for, in their order", async () => {
  await remember({ [DM]: { last: "1000", kind: "direct" } });
  for (let id = 1001; id <= 1150; id++) fake.write(said(DM, id));
  fake.hold();
  const session = await connect();
  fake.ready();
  await fake.until(() => fake.requests.length === 1);
  for (let id = 1151; id <= 1600; id++) fake.say(said(DM, id));
  fake.release();
  await session.until(() => session.inbound.length >= 600);
  const ids = Array.from({ length: 600 }, (_, n) => `direct 77: m${1001 + n}`);
  expect(seen(session)).toEqual(ids);
});

test("a history of many pages waits for its rate limit, on one connection", async () => {
  await fake.stop();
  await start({ requests: 5, perMs: 400 });
  await remember({ [DM]: { last: "1000", kind: "direct" } });
  for (let id = 1001; id <= 1900; id++) fake.write(said(DM, id));
  const session = await connect();
  fake.ready();
  await fake.until(() => fake.requests.length >= 3);
  fake.say(said(DM, 1901));
  await session.until(() => session.inbound.length >= 901);
  expect(seen(session)).toEqual(Array.from({ length: 901 }, (_, n) => `direct 77: m${1001 + n}`));
  expect([fake.identifies(), fake.refused()]).toEqual([1, 0]);
});

test("a history that fails is asked for again, and the connection stays", async () => {
  await remember({ [DM]: { last: "1000", kind: "direct" } });
  for (let id = 1001; id <= 1250; id++) fake.write(said(DM, id));
  fake.failNext(503);
  const session = await connect();
  fake.ready();
  await session.until(() => session.states.some((state) => state.state === "connected" && "why" in state));
  fake.say(said(DM, 1251));
  await session.until(() => session.inbound.length >= 251);
  expect(seen(session)).toEqual(Array.from({ length: 251 }, (_, n) => `direct 77: m${1001 + n}`));
  await session.until(() => session.states.at(-1)?.state === "connected");
  expect(session.states.slice(1)).toEqual([
    { state: "connected", me: { id: "555", name: "bot" } },
    {
      state: "connected",
      me: { id: "555", name: "bot" },
      why: "messages cannot be received yet: Service Unavailable",
    },
    { state: "connected", me: { id: "555", name: "bot" } },
  ]);
  expect(fake.identifies()).toBe(1);
});

test("servers that become known do not make it ask for direct conversations again", async () => {
  await remember({ [DM]: { last: "100", kind: "direct" }, [OTHER_DM]: { last: "100", kind: "direct" } });
  const session = await connect();
  const servers = Array.from({ length: 31 }, (_, n) => `${n + 400}`);
  fake.ready(servers);
  for (const server of servers) fake.guild(server);
  fake.say(said(DM, 101));
  fake.say(said(OTHER_DM, 102));
  await session.until(() => session.inbound.length === 2);
  expect(fake.requests.filter((request) => request.includes("/messages")).sort()).toEqual([
    "GET /channels/77/messages?after=100&limit=100",
    "GET /channels/78/messages?after=100&limit=100",
  ]);
});

test("a message that was edited while nobody listened is received, and one that was received is edited", async () => {
  await remember({ [DM]: { last: "100", kind: "direct" } });
  fake.write(said(DM, 101, { content: "fixed", edited_timestamp: "2026-01-01T00:01:00+00:00" }));
  const session = await connect();
  fake.ready();
  await session.until(() => session.inbound.length === 1);
  expect(session.inbound[0]).toMatchObject({ edits: "101", missed: true, message: { Text: "fixed" } });
  fake.edit(said(DM, 101, { content: "better", edited_timestamp: "2026-01-01T00:02:00+00:00" }), true);
  await session.until(() => session.inbound.length === 2);
  expect(session.inbound[1]).toMatchObject({ edits: "101", message: { Text: "better" } });
  expect(session.inbound[1]).not.toHaveProperty("missed");
});

test("an edit of what its history shows already is not received once more", async () => {
  await remember({ [DM]: { last: "100", kind: "direct" } });
  fake.write(said(DM, 101));
  fake.hold();
  const session = await connect();
  fake.ready();
  await fake.until(() => fake.requests.length === 1);
  fake.edit(said(DM, 101, { content: "fixed", edited_timestamp: "2026-01-01T00:01:00+00:00" }), true);
  fake.say(said(DM, 102));
  fake.release();
  await session.until(() => session.inbound.length === 2);
  expect(seen(session)).toEqual(["direct 77: fixed", "direct 77: m102"]);
});

test("what cannot be stored yet holds up its own channel, in order, and nobody else", async () => {
  let failures = 1;
  const session = await connect({
    store: async ({ message }) => {
      if (message.Text === "m101" && failures-- > 0) throw new Error("the disk is full");
    },
  });
  fake.ready();
  fake.say(said(DM, 101));
  fake.say(said(DM, 102));
  fake.say(said(OTHER_DM, 103));
  await session.until(() => session.inbound.length === 4);
  expect(of(seen(session), " 77")).toEqual(["direct 77: m101", "direct 77: m101", "direct 77: m102"]);
  expect(fake.identifies()).toBe(1);
});

test("a resumed connection asks for nothing: Discord tells what was missed", async () => {
  const session = await connect();
  fake.ready();
  fake.say(said(DM, 101));
  await session.until(() => session.inbound.length === 1);
  const states = session.states.length;
  fake.cut();
  await session.until(() => session.states.slice(states).some(({ state }) => state === "connected"));
  fake.say(said(DM, 102));
  await session.until(() => session.inbound.length === 2);
  expect([fake.requests, fake.identifies()]).toEqual([[], 1]);
});

test("channels of another bot in the same account are not asked for", async () => {
  await remember({ [DM]: { last: "100", kind: "direct", bot: "556" } });
  fake.write(said(DM, 101));
  const session = await connect();
  fake.ready();
  fake.say(said(OTHER_DM, 102));
  await session.until(() => session.inbound.length === 1);
  expect([seen(session), fake.requests]).toEqual([["direct 78: m102"], []]);
});

test.each([
  ["channel", { id: "32", type: 0, guild_id: SERVER }, "channel 32: m101"],
  ["thread", { id: "32", type: 11, guild_id: SERVER, parent_id: CHANNEL }, "channel 30/32: m101"],
])(
  "what was missed in a %s that is remembered as a direct one waits until it is certain",
  async (_, channel, expected) => {
    await remember({ 32: { last: "100", kind: "direct", bot: "555" } });
    fake.addChannel(channel);
    fake.write(said("32", 101));
    fake.hold();
    const session = await connect();
    fake.ready([SERVER]);
    await fake.until(() => fake.requests.length === 1);
    fake.release();
    await fake.until(() => fake.requests.includes("GET /channels/32"));
    expect(session.inbound).toEqual([]);
    fake.guild(SERVER);
    await session.until(() => session.inbound.length === 1);
    expect(seen(session)).toEqual([expected]);
    expect(session.inbound[0]?.addressed).toBe(false);
    await session.transport.close();
    expect(await remembered()).toMatchObject({ 32: { last: "101", kind: "server", server: SERVER } });
  },
);

test("a remembered direct channel that Discord cannot tell of yet holds its missed messages back", async () => {
  await remember({ [DM]: { last: "100", kind: "direct", bot: "555" } });
  fake.write(said(DM, 101));
  fake.failNextPlace(503);
  const session = await connect();
  fake.ready();
  await session.until(() => session.states.some((state) => state.state === "connected" && "why" in state));
  expect(session.inbound).toEqual([]);
  await session.until(() => session.inbound.length === 1);
  expect(seen(session)).toEqual(["direct 77: m101"]);
});

test("a channel that was taken for a direct one is looked up when a message says that it is in a server", async () => {
  await remember({ 32: { last: "100", kind: "direct", bot: "555" } });
  const session = await connect();
  fake.ready([SERVER]);
  fake.guild(SERVER);
  await session.until(() => session.states.at(-1)?.state === "connected");
  await fake.until(() => fake.requests.some((one) => one.startsWith("GET /channels/32/messages")));
  fake.addChannel({ id: "32", type: 11, guild_id: SERVER, parent_id: CHANNEL });
  fake.say(said("32", 101));
  await session.until(() => session.inbound.length > 0);
  expect(seen(session)).toEqual(["channel 30/32: m101"]);
});
