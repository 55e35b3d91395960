import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { valuesIn } from "../../../test/support/values-in.js";
import { History } from "./history.js";
import { Intake } from "./intake.js";
import { Memory } from "./memory.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("the roles of a server that Discord never tells of are asked for, and its messages received", async () => {
  const { REST } = await import("@discordjs/rest");
  const asked: string[] = [];
  const rest = new REST({ hashSweepInterval: 0, handlerSweepInterval: 0 });
  vi.spyOn(rest, "get").mockImplementation(async (path) => {
    asked.push(path);
    if (path === "/channels/30") return { id: "30", type: 0, guild_id: "3" };
    return path === "/guilds/3/roles" ? [{ id: "73", tags: { bot_id: "555" } }] : [];
  });
  const ending = new AbortController();
  const addressed: boolean[] = [];
  let onReceived: () => void = () => undefined;
  const received = new Promise<void>((resolve) => {
    onReceived = resolve;
  });
  const intake = new Intake({
    memory: await Memory.load(valuesIn()),
    history: new History(rest, ending.signal),
    signal: ending.signal,
    now: () => Date.UTC(2026, 0),
    people: async () => [],
    receive: async (inbound) => {
      addressed.push(inbound.addressed);
      onReceived();
    },
    onUnread: () => undefined,
    onInteraction: () => undefined,
    onTrouble: () => undefined,
  });
  intake.accept("READY", { user: { id: "555", username: "bot" }, guilds: [{ id: "3", unavailable: true }] });
  const author = { id: "42", username: "ann" };
  const said = { id: "101", type: 0, channel_id: "30", guild_id: "3", author, content: "hi" };
  intake.accept("MESSAGE_CREATE", {
    ...said,
    timestamp: "2026-01-01T00:00:00.000000+00:00",
    mention_roles: ["73"],
  });
  await vi.advanceTimersByTimeAsync(14_000);
  expect([addressed, asked]).toEqual([[], ["/channels/30"]]);
  await vi.advanceTimersByTimeAsync(2_000);
  await received;
  ending.abort();
  expect([addressed, asked]).toEqual([[true], ["/channels/30", "/guilds/3/roles"]]);
});
