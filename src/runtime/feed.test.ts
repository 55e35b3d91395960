import { expect, test } from "vitest";
import { told, user } from "../../test/fakes/watching.js";
import { newId } from "../core/ids.js";
import type { AgentMessage } from "../core/types.js";
import { MemoryLog } from "../log/memory/memory-log.js";
import type { SessionLog } from "../log/types.js";
import { Feed, type Follower } from "./feed.js";
import type { ConversationEvent } from "./types.js";

type Listener = (event: ConversationEvent) => void;

/** A conversation whose log and whose events the test makes, and which another process has open as well. */
class StagedConversation {
  readonly listeners = new Set<Listener>();
  readonly session: SessionLog;
  readonly other: SessionLog;
  /** The tail gives entries only while this is fulfilled. */
  gate: Promise<void> = Promise.resolve();
  failure: Error | undefined;

  private constructor(session: SessionLog, other: SessionLog) {
    this.other = other;
    this.session = { ...bound(session), tail: (options) => this.#tail(session, options) };
  }

  static async begin(): Promise<StagedConversation> {
    const log = new MemoryLog();
    const session = await log.create({ agent: "main" });
    return new StagedConversation(session, await log.open(session.id));
  }

  watch(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(event: ConversationEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  delta(text: string): void {
    this.emit({ type: "run_start", runId: text, seq: 1 });
  }

  /** Stores a message as a run does: then its event comes. */
  async store(message: AgentMessage): Promise<void> {
    const { messages, position, next } = await this.session.append([{ ...message, id: newId() }]);
    const [stored = message] = messages;
    this.emit({
      type: "agent",
      runId: "r",
      seq: 1,
      event: { type: "message_end", message: stored },
      stored: { position, next },
    });
  }

  async *#tail(session: SessionLog, options: Parameters<SessionLog["tail"]>[0]) {
    for await (const entry of session.tail(options)) {
      await this.gate;
      if (this.failure !== undefined) throw this.failure;
      yield entry;
    }
  }
}

function bound(session: SessionLog): SessionLog {
  const { id, header } = session;
  return {
    id,
    header,
    append: session.append.bind(session),
    clearDue: session.clearDue.bind(session),
    read: session.read.bind(session),
    last: session.last.bind(session),
    tail: session.tail.bind(session),
    end: session.end.bind(session),
    close: session.close.bind(session),
  };
}

/** Writes down what it receives: `user: hi` for an entry, `end of hi` for its event, `→ x` for another event. */
class Recorder implements Follower {
  readonly seen: string[] = [];

  onEntry({ message }: { message: AgentMessage }): void {
    this.seen.push(...told([message]));
  }

  onEvent(event: ConversationEvent): void {
    if (event.type === "run_start") this.seen.push(`→ ${event.runId}`);
    if (event.type === "agent" && event.event.type === "message_end" && event.event.message.role === "user") {
      this.seen.push(`end of ${event.event.message.content}`);
    }
  }

  onFailure(error: unknown): void {
    this.seen.push(`failed: ${error instanceof Error ? error.message : ""}`);
  }
}

function gateOf(conversation: StagedConversation): () => void {
  let open: () => void = () => undefined;
  conversation.gate = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

test("what is stored and what happens comes in one order, each once, whoever wrote it", async () => {
  const conversation = await StagedConversation.begin();
  await conversation.session.append([user("before")]);
  const recorder = new Recorder();
  const feed = Feed.follow(conversation, recorder);
  await feed.ready;
  conversation.delta("a");
  await conversation.store(user("mine"));
  conversation.delta("b");
  await feed.drained();
  await conversation.other.append([user("theirs")]);
  await feed.drained();
  conversation.delta("c");
  expect(recorder.seen).toEqual(["→ a", "user: mine", "end of mine", "→ b", "user: theirs", "→ c"]);
  expect(feed.position).toBe(await conversation.session.end());
  expect(feed.last?.message).toMatchObject({ content: "theirs" });
});

test("a message of a run does not wait for the disk to be read", async () => {
  const conversation = await StagedConversation.begin();
  const recorder = new Recorder();
  const feed = Feed.follow(conversation, recorder);
  await feed.ready;
  const open = gateOf(conversation);
  await conversation.store(user("mine"));
  conversation.delta("a");
  expect(recorder.seen).toEqual(["user: mine", "end of mine", "→ a"]);
  open();
  await conversation.store(user("more"));
  await feed.drained();
  expect(recorder.seen.slice(3)).toEqual(["user: more", "end of more"]);
});

test("what another process stored before it comes before it, and everything after it waits", async () => {
  const conversation = await StagedConversation.begin();
  const recorder = new Recorder();
  const feed = Feed.follow(conversation, recorder);
  await feed.ready;
  const open = gateOf(conversation);
  await conversation.other.append([user("theirs")]);
  conversation.delta("a");
  await conversation.store(user("mine"));
  conversation.delta("b");
  expect(recorder.seen).toEqual(["→ a"]);
  open();
  await feed.drained();
  expect(recorder.seen).toEqual(["→ a", "user: theirs", "user: mine", "end of mine", "→ b"]);
});

test("what happens before the end of the log is known waits for it", async () => {
  const conversation = await StagedConversation.begin();
  const recorder = new Recorder();
  const feed = Feed.follow(conversation, recorder);
  conversation.delta("a");
  expect([recorder.seen, feed.position]).toEqual([[], 0]);
  await feed.ready;
  expect([recorder.seen, feed.position]).toEqual([["→ a"], 1]);
});

test.each([0, 1, 2, 3, 4])("whoever joins after step %i has neither a gap nor a double", async (joins) => {
  const conversation = await StagedConversation.begin();
  const first = new Recorder();
  const feed = Feed.follow(conversation, first);
  await feed.ready;
  const late = new Recorder();
  const steps = [
    () => conversation.store(user("one")),
    () => conversation.other.append([user("two")]),
    () => conversation.store(user("three")),
    () => conversation.other.append([user("four")]),
  ];
  let until = 0;
  for (const [index, step] of [...steps, () => feed.drained()].entries()) {
    if (index === joins) {
      expect(Feed.follow(conversation, late)).toBe(feed);
      until = feed.position;
    }
    await step();
  }
  const stored: AgentMessage[] = [];
  for await (const { message } of feed.stored(1, until)) stored.push(message);
  const live = late.seen.filter((line) => line.startsWith("user"));
  expect([...told(stored), ...live]).toEqual(["user: one", "user: two", "user: three", "user: four"]);
});

test("an event that happened before somebody followed is not delivered to them, its entry is", async () => {
  const conversation = await StagedConversation.begin();
  const [first, late] = [new Recorder(), new Recorder()];
  const feed = Feed.follow(conversation, first);
  await feed.ready;
  const open = gateOf(conversation);
  await conversation.other.append([user("theirs")]);
  await conversation.store(user("mine"));
  Feed.follow(conversation, late);
  conversation.delta("a");
  open();
  await feed.drained();
  expect(first.seen).toEqual(["user: theirs", "user: mine", "end of mine", "→ a"]);
  expect(late.seen).toEqual(["user: theirs", "user: mine", "→ a"]);
});

test("a follower that begins inside a delivery is not given what is being delivered", async () => {
  const conversation = await StagedConversation.begin();
  const late = new Recorder();
  const first = new Recorder();
  first.onEntry = () => void Feed.follow(conversation, late);
  const feed = Feed.follow(conversation, first);
  await feed.ready;
  await conversation.store(user("one"));
  expect(late.seen).toEqual([]);
});

test("a log that cannot be read is reported to everybody once, and the next one tries again", async () => {
  const conversation = await StagedConversation.begin();
  const [one, two] = [new Recorder(), new Recorder()];
  const feed = Feed.follow(conversation, one);
  Feed.follow(conversation, two);
  await feed.ready;
  conversation.failure = new Error("the disk is gone");
  const drained = feed.drained();
  await conversation.other.append([user("theirs")]);
  await Promise.all([drained, feed.drained()]);
  conversation.delta("a");
  expect([one.seen, two.seen]).toEqual([["failed: the disk is gone"], ["failed: the disk is gone"]]);
  expect([feed.closed, conversation.listeners.size]).toEqual([true, 0]);
  conversation.failure = undefined;
  const again = Feed.follow(conversation, one);
  expect(again).not.toBe(feed);
  await again.ready;
  expect(again.position).toBe(2);
});

test("a log whose end cannot be found fails whoever waits for it", async () => {
  const conversation = await StagedConversation.begin();
  conversation.session.last = () => Promise.reject(new Error("no such file"));
  const recorder = new Recorder();
  const feed = Feed.follow(conversation, recorder);
  await expect(feed.ready).rejects.toThrow("no such file");
  expect([recorder.seen, feed.closed]).toEqual([["failed: no such file"], true]);
});

test("a follower that throws is told so and left behind; the others go on", async () => {
  const conversation = await StagedConversation.begin();
  const [bad, good] = [new Recorder(), new Recorder()];
  bad.onEvent = () => {
    throw new Error("a bug");
  };
  const feed = Feed.follow(conversation, bad);
  Feed.follow(conversation, good);
  await feed.ready;
  conversation.delta("a");
  conversation.delta("b");
  expect([bad.seen, good.seen]).toEqual([["failed: a bug"], ["→ a", "→ b"]]);
});

test("it closes with its last follower, and whoever waits for it is free", async () => {
  const conversation = await StagedConversation.begin();
  const [one, two] = [new Recorder(), new Recorder()];
  const feed = Feed.follow(conversation, one);
  Feed.follow(conversation, two);
  await feed.ready;
  gateOf(conversation);
  await conversation.other.append([user("theirs")]);
  const drained = feed.drained();
  feed.leave(one);
  expect(feed.closed).toBe(false);
  feed.leave(two);
  await drained;
  expect([feed.closed, conversation.listeners.size, one.seen]).toEqual([true, 0, []]);
});
