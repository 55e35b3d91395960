import { readFileSync } from "node:fs";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ChatPlatform } from "../../../../test/fakes/chat-platform.js";
import { SteppedWorld } from "../../../../test/fakes/stepped-world.js";
import { user } from "../../../../test/fakes/watching.js";
import { journalAt } from "../../../../test/support/journal-at.js";
import { folderForEachTest } from "../../../../test/support/temporary-folder.js";
import { Runtime } from "../../../runtime/runtime.js";
import { MetricsRegistry } from "../../metrics.js";
import { Delivery } from "./delivery.js";
import { SessionFollower } from "./follower.js";
import { Outbox } from "./outbox.js";

const inFolder = folderForEachTest();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const account = { channel: "telegram", account: "default" } as const;

afterEach(() => vi.restoreAllMocks());

async function begin() {
  const world = new SteppedWorld();
  const channel = new ChatPlatform().channel();
  const { traits } = channel;
  const path = inFolder("outbox.jsonl");
  const metrics = new MetricsRegistry();
  const outbox = await Outbox.open({
    ...account,
    openJournal: journalAt(path),
    traits,
    world,
    logger,
    metrics,
  });
  const runtime = new Runtime({ home: inFolder("home"), config: { model: "demo/echo" } });
  const policy = async () => ({ settings: {}, people: [] });
  const delivery = new Delivery({ runtime, channel, reception: account, outbox, world, logger, policy });
  const conversation = await runtime.begin({ key: "agent:main:main" });
  onTestFinished(async () => {
    await delivery.close();
    await runtime.close();
    await world.until(outbox.close(1));
  });
  const records = () => readFileSync(path, "utf8");
  return { delivery, conversation, records, world };
}

test("that a session is followed is on record before it is asked anything", async () => {
  const { delivery, conversation, records } = await begin();
  const from = await conversation.session.end();
  expect(await delivery.askAndDeliver(conversation, async () => records())).toBe(
    `{"type":"follow","session":"${conversation.session.id}","from":${from}}\n`,
  );
});

test("a session is followed on when somebody asks just as nobody waits any more", async () => {
  const { delivery, conversation, records } = await begin();
  let goOn = () => {};
  const held = new Promise<void>((begun) => {
    vi.spyOn(SessionFollower.prototype, "advance").mockImplementationOnce(async () => {
      begun();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    });
  });
  await delivery.askAndDeliver(conversation, () => conversation.send(user("one")));
  await held;
  let answer = () => {};
  const asking = delivery.askAndDeliver(
    conversation,
    () => new Promise<void>((resolve) => (answer = resolve)),
  );
  // By then the first one's end waits behind the second one's beginning.
  await conversation.idle();
  await new Promise(setImmediate);
  goOn();
  await delivery.askAndDeliver(conversation, async () => undefined);
  expect(records()).not.toContain("settled");
  answer();
  await asking;
});

test("a session whose log could not be read for a moment is followed again, and its answer is sent", async () => {
  const { delivery, conversation, records, world } = await begin();
  const tail = vi.spyOn(conversation.session, "tail").mockImplementationOnce(() => {
    throw new Error("the disk does not answer");
  });
  const place = { kind: "direct", chat: "7" };
  await delivery.askAndDeliver(conversation, async () => {
    await world.until(vi.waitFor(() => expect(tail).toHaveBeenCalledTimes(2)));
    await conversation.send({ ...user("one"), ext: { delivery: { ...account, place } } });
  });
  await vi.waitFor(() => expect(records()).toContain('"type":"answer"'));
});
