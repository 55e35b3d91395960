import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { ChatPlatform, type ChatPlatformOptions } from "../../../../test/fakes/chat-platform.js";
import { SteppedWorld } from "../../../../test/fakes/stepped-world.js";
import { journalAt } from "../../../../test/support/journal-at.js";
import { folderForEachTest } from "../../../../test/support/temporary-folder.js";
import { valuesIn } from "../../../../test/support/values-in.js";
import { SendError, type Transport } from "../../../channels/types.js";
import { MetricsRegistry } from "../../metrics.js";
import { Outbox } from "./outbox.js";

const inFolder = folderForEachTest();
const ann = { place: { kind: "direct", chat: "ann" } } as const;
const bob = { place: { kind: "direct", chat: "bob" } } as const;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function connectedTo(platform: ChatPlatform): Promise<Transport> {
  return platform.channel().open({
    settings: {},
    values: () => valuesIn(),
    receive: async () => undefined,
    choose: async () => "",
    onState: () => undefined,
    people: async () => [],
    onUnread: () => undefined,
    media: () => Promise.reject(new Error("none")),
    fetch,
    now: () => 0,
  });
}

async function outboxFor(
  platform: ChatPlatform,
  { world = new SteppedWorld(), ...traits }: { world?: SteppedWorld } & ChatPlatformOptions["traits"] = {},
) {
  const metrics = new MetricsRegistry();
  const outbox = await Outbox.open({
    openJournal: journalAt(inFolder("outbox.jsonl")),
    channel: "telegram",
    account: "default",
    traits: { debounceMs: 0, mostBytes: 0, ...traits },
    world,
    logger: quiet,
    metrics,
  });
  onTestFinished(() => world.until(outbox.close(1)));
  return { outbox, world, metrics, transport: await connectedTo(platform) };
}

const parts = (...texts: string[]) => texts.map((native) => ({ native }));
const counts = ({ state }: Outbox) => [state.count("unsent"), state.count("unknown"), state.count("refused")];

/** Waits for what takes a few turns of the event loop, such as the disk. */
async function turns(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

test("what was added before it was connected is sent in order, each once", async () => {
  const platform = new ChatPlatform();
  const { outbox, transport } = await outboxFor(platform);
  await outbox.add({ id: "1", asked: ann, parts: parts("one", "two") });
  await outbox.add({ id: "1", asked: ann, parts: parts("one", "two") });
  await outbox.add({ id: "2", asked: ann, parts: parts("three") });
  expect(counts(outbox)).toEqual([3, 0, 0]);
  outbox.connect(transport);
  expect(await platform.hasShown("ann", 3)).toEqual(["one", "two", "three"]);
  await turns(() => outbox.state.count("unsent") === 0);
  await outbox.add({ id: "1", asked: ann, parts: parts("one", "two") });
  expect(counts(outbox)).toEqual([0, 0, 0]);
  expect(platform.requests).toHaveLength(3);
});

test("what has to wait is sent again when the platform says so, and not before", async () => {
  const platform = new ChatPlatform();
  const { outbox, world, transport } = await outboxFor(platform);
  outbox.connect(transport);
  let refusals = 1;
  platform.before = () => {
    if (refusals-- > 0) throw new SendError("later", "slow down", { afterMs: 5000 });
  };
  await outbox.add({ id: "1", asked: ann, parts: parts("one") });
  await turns(() => world.waiting > 0);
  world.pass(5000);
  expect(platform.requests).toEqual(["send ann: one"]);
  world.pass(250);
  expect(await platform.hasShown("ann", 1)).toEqual(["one"]);
  expect(platform.requests).toEqual(["send ann: one", "send ann: one"]);
});

test("a place in trouble delays no other", async () => {
  const platform = new ChatPlatform();
  const { outbox, transport } = await outboxFor(platform);
  outbox.connect(transport);
  platform.before = ({ chat }) => (chat === "ann" ? new Promise<void>(() => undefined) : undefined);
  await outbox.add({ id: "1", asked: ann, parts: parts("one") });
  await platform.until(() => platform.requests.length === 1);
  await outbox.add({ id: "2", asked: bob, parts: parts("two") });
  expect(await platform.hasShown("bob", 1)).toEqual(["two"]);
});

test("what may have arrived is not repeated, what is refused is given up, and the rest follows", async () => {
  const platform = new ChatPlatform();
  const { outbox, transport, metrics } = await outboxFor(platform);
  outbox.connect(transport);
  platform.before = ({ text, show }) => {
    if (text === "lost") {
      show();
      throw new SendError("unknown", "no response");
    }
    if (text === "odd") throw new TypeError("an error of the client's own");
    if (text === "bad") throw new SendError("refused", "no such chat");
  };
  await outbox.add({ id: "1", asked: ann, parts: parts("lost", "bad", "odd", "last") });
  expect(await platform.hasShown("ann", 2)).toEqual(["lost", "last"]);
  await turns(() => outbox.state.count("unsent") === 0);
  expect(counts(outbox)).toEqual([0, 2, 1]);
  expect(platform.requests).toHaveLength(4);
  expect(await metrics.text()).toContain(
    'dragoman_channel_sends_total{account="default",channel="telegram",outcome="unknown"} 2',
  );
});

test("what was being sent when the process ended is of unknown fate; what was not is sent", async () => {
  const platform = new ChatPlatform();
  const first = await outboxFor(platform);
  first.outbox.connect(first.transport);
  platform.before = () => new Promise<void>(() => undefined);
  await first.outbox.add({ id: "1", asked: ann, parts: parts("one", "two") });
  await platform.until(() => platform.requests.length === 1);
  // The first one never closes: it is as good as dead.
  platform.before = () => undefined;
  const second = await outboxFor(platform);
  second.outbox.connect(second.transport);
  expect(await platform.hasShown("ann", 1)).toEqual(["two"]);
  expect(counts(second.outbox)[1]).toBe(1);
});

test("an answer that nobody takes for a day is given up", async () => {
  const platform = new ChatPlatform();
  const { outbox, world, transport } = await outboxFor(platform);
  await outbox.add({ id: "1", asked: ann, parts: parts("old news") });
  world.pass(24 * 3_600_000 + 1);
  outbox.connect(transport);
  await turns(() => outbox.state.count("refused") === 1);
  expect(platform.requests).toEqual([]);
});

test("an account sends no faster than the platform allows", async () => {
  const platform = new ChatPlatform();
  const { outbox, world, transport } = await outboxFor(platform, { sendEveryMs: 100 });
  outbox.connect(transport);
  await outbox.add({ id: "1", asked: ann, parts: parts("one") });
  await outbox.add({ id: "2", asked: bob, parts: parts("two") });
  await platform.hasShown("ann", 1);
  await turns(() => world.waiting > 0);
  expect(platform.texts("bob")).toEqual([]);
  world.pass(100);
  expect(await platform.hasShown("bob", 1)).toEqual(["two"]);
});

test("the preview becomes the first part, also after a restart", async () => {
  const platform = new ChatPlatform({ edits: true });
  const first = await outboxFor(platform, { editEveryMs: 1000 });
  first.outbox.connect(first.transport);
  expect(first.outbox.canPreview).toBe(true);
  await first.outbox.preview("S", ann.place, { native: "he" });
  await first.outbox.preview("S", ann.place, { native: "hello" });
  const second = await outboxFor(platform, { editEveryMs: 1000 });
  second.outbox.connect(second.transport);
  await second.outbox.add({ id: "1", session: "S", next: 9, asked: ann, parts: parts("hello!", "more") });
  expect(await platform.hasShown("ann", 2)).toEqual(["hello!", "more"]);
  expect(platform.requests).toEqual(["send ann: he", "edit 1: hello", "edit 1: hello!", "send ann: more"]);
  expect(second.outbox.state.followed.get("S")).toEqual({ from: 9, asked: ann });
});

test("a preview that is gone is replaced by a message", async () => {
  const platform = new ChatPlatform({ edits: true });
  const { outbox, world, transport } = await outboxFor(platform, { editEveryMs: 1000 });
  outbox.connect(transport);
  await outbox.preview("S", ann.place, { native: "he" });
  platform.before = ({ kind }) => {
    if (kind === "edit") throw new SendError("refused", "message to edit not found");
  };
  await outbox.add({ id: "1", session: "S", next: 9, asked: ann, parts: parts("hello") });
  await turns(() => world.waiting > 0);
  world.pass(250);
  expect(await platform.hasShown("ann", 2)).toEqual(["he", "hello"]);
});

test("a preview is on record before it is sent, so that a process that is killed leaves a sign of it", async () => {
  const platform = new ChatPlatform({ edits: true });
  const { outbox, transport } = await outboxFor(platform, { editEveryMs: 1000 });
  outbox.connect(transport);
  const recorded: string[] = [];
  platform.before = () => void recorded.push(readFileSync(inFolder("outbox.jsonl"), "utf8"));
  await outbox.preview("S", ann.place, { native: "he" });
  expect(recorded).toEqual([
    '{"type":"preview","session":"S","place":{"kind":"direct","chat":"ann"},"state":"sending"}\n',
  ]);
});

test("what the platform refuses as one is sent as several, each once, before what follows", async () => {
  const platform = new ChatPlatform();
  const { outbox, transport } = await outboxFor(platform);
  const keys: string[] = [];
  outbox.connect({
    ...transport,
    send: (place, outgoing, key) => {
      keys.push(key);
      if (outgoing.native !== "all") return transport.send(place, outgoing, key);
      return Promise.reject(new SendError("refused", "not as one", { instead: parts("a", "b") }));
    },
  });
  await outbox.add({ id: "1", asked: ann, parts: parts("one", "all", "two") });
  expect(await platform.hasShown("ann", 4)).toEqual(["one", "a", "b", "two"]);
  expect(keys).toEqual(["1.0", "1.1", "1.1.0", "1.1.1", "1.2"]);
  await turns(() => outbox.state.count("unsent") === 0);
  expect(counts(outbox)).toEqual([0, 0, 0]);
});
