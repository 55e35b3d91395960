import { expect, onTestFinished, test } from "vitest";
import { event, isText, user } from "../../test/fakes/watching.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { Conversation } from "./conversation.js";
import { Feed, type Follower } from "./feed.js";
import { Feeds } from "./feeds.js";
import { Runtime } from "./runtime.js";

class Counting implements Follower {
  readonly feed: Feed;
  events = 0;
  #closed: () => void = () => undefined;
  readonly closed = new Promise<void>((resolve) => {
    this.#closed = resolve;
  });

  constructor(conversation: Conversation) {
    this.feed = Feed.follow(conversation, this);
  }

  onEntry(): void {}
  onFailure(): void {}

  onEvent(): void {
    this.events++;
  }

  close(): void {
    this.feed.leave(this);
    this.#closed();
  }
}

async function begin(model = "demo/echo") {
  const runtime = new Runtime({ home: temporaryFolder(), config: { model } });
  onTestFinished(() => runtime.close());
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const feeds = new Feeds((subject: { conversation: Conversation }) => new Counting(subject.conversation));
  return { conversation, feeds, claim: () => feeds.claim({ conversation }) };
}

test("it is shared, and closed when all have released it", async () => {
  const { conversation, feeds, claim } = await begin();
  const one = claim();
  expect(claim()).toBe(one);
  feeds.release({ conversation }, one);
  await one.feed.drained();
  expect(one.feed.closed).toBe(false);
  feeds.release({ conversation }, one);
  await one.closed;
  expect([one.feed.closed, conversation.unused]).toEqual([true, true]);
  expect(claim()).not.toBe(one);
});

test("what is under way keeps it, for whoever joins, and it has seen the end before it goes", async () => {
  const { conversation, feeds, claim } = await begin();
  const one = claim();
  const begun = event(conversation, isText);
  await conversation.send(user("one two three"));
  await begun;
  let happened = 0;
  conversation.watch(() => happened++);
  const before = one.events;
  feeds.release({ conversation }, one);
  expect(claim()).toBe(one);
  feeds.release({ conversation }, one);
  await one.closed;
  expect(one.events - before).toBe(happened);
  expect(conversation.busy).toBe(false);
});

test("a claim while it is about to go keeps it", async () => {
  const { conversation, feeds, claim } = await begin();
  const one = claim();
  feeds.release({ conversation }, one);
  expect(claim()).toBe(one);
  await conversation.idle();
  await one.feed.drained();
  await new Promise(setImmediate);
  expect(one.feed.closed).toBe(false);
});

test("one whose feed has failed is made anew, and its release takes nothing from the next", async () => {
  const { conversation, feeds, claim } = await begin();
  const one = claim();
  one.feed.leave(one);
  const two = claim();
  expect(two).not.toBe(one);
  feeds.release({ conversation }, one);
  await conversation.idle();
  await two.feed.drained();
  expect(two.feed.closed).toBe(false);
});
