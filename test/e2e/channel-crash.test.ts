import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Inbound } from "../../src/channels/types.js";
import { readOutboxRecord } from "../../src/gateway/channels/read-record.js";
import type { OutboxRecord } from "../../src/gateway/channels/record-schema.js";
import { Runtime } from "../../src/runtime/runtime.js";
import { inboundOf } from "../fakes/chat-platform.js";
import { chance } from "../support/sound-session.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { ChannelWorker, type Request, workerProgram } from "../support/workers/channel-worker.js";

const KILLS = Math.round(Number(process.env["DRAGOMAN_TEST_KILLS"] ?? 40) * 0.4);
const PARTS = 3;
const CHATS = ["a", "b"];

/** When a worker is killed. */
const stages = [
  "before it has stored anything",
  "when it has stored the message",
  "when its first request was taken",
  "when its second request was taken",
  "when its first request was not taken",
  "when everything was sent",
] as const;

interface Seen {
  chat: string;
  text: string;
}

/** What people see, whatever process sent it. */
class Screen {
  readonly messages = new Map<string, Seen>();
  readonly swallowed: string[] = [];

  take({ chat, text, edits }: Request): { id: string } {
    const id = edits ?? String(this.messages.size + 1);
    this.messages.set(id, { chat, text });
    return { id };
  }

  textOf(chat: string): string {
    return [...this.messages.values()].flatMap((one) => (one.chat === chat ? one.text : [])).join("");
  }
}

/** The answer has three parts of forty characters, each of which says which it is. */
function question(chat: string, count: number): Inbound {
  const part = (index: number) => `<${chat}${count}.${index}> word word `.padEnd(39, "word ").trimEnd();
  const text = Array.from({ length: PARTS }, (_, index) => part(index + 1).padEnd(39, ".")).join(" ");
  return inboundOf(`say: ${text}`, {
    id: `${chat}${count}`,
    place: { kind: "direct", chat },
    sender: { id: chat },
  });
}

const marks = (text: string) => text.match(/<[ab]\d+\.\d>/g) ?? [];

async function live(
  file: string,
  home: string,
  screen: Screen,
  stage: number,
  redelivered: readonly Inbound[],
  message: Inbound,
): Promise<{ received: ReadonlySet<string>; unanswered: number }> {
  let [requests, unanswered, dead] = [0, 0, false];
  const silent = stage === 2 || stage === 4 ? 1 : stage === 3 ? 2 : Number.POSITIVE_INFINITY;
  const worker: ChannelWorker = new ChannelWorker(file, home, (request) => {
    if (++requests < silent && !dead) return screen.take(request);
    // Whatever else is on its way arrives nowhere.
    if (stage === 4 || dead) screen.swallowed.push(...marks(request.text));
    else screen.take(request);
    unanswered++;
    dead = true;
    void worker.kill();
    return undefined;
  });
  await worker.ready.catch((error) => {
    // What was left to be sent was its first request.
    if (!dead) throw error;
  });
  for (const one of redelivered) worker.say(one);
  worker.say(message);
  if (stage === 1) await worker.until(() => worker.received.has(message.id));
  if (stage === 5) await worker.until(() => requests >= PARTS);
  if (silent === Number.POSITIVE_INFINITY) {
    dead = true;
    await worker.kill();
  }
  await worker.ended;
  return { received: worker.received, unanswered };
}

/** An outbox remembers 200 parts of unknown fate, so many kills are divided between desks. */
const DESKS = Math.ceil(KILLS / 125);
const KILLS_OF_DESK = Math.ceil(KILLS / DESKS);

test.each(Array.from({ length: DESKS }, (_, index) => 5 + index))(
  `a desk that is killed ${KILLS_OF_DESK} times answers everything once, as far as it can know (seed %i)`,
  async (seed) => {
    const home = temporaryFolder();
    const { file, remove } = workerProgram();
    onTestFinished(remove);
    const random = chance(seed);
    const screen = new Screen();
    const said: Inbound[] = [];
    const acknowledged = new Set<string>();
    let unanswered = 0;
    for (let kill = 0; kill < KILLS_OF_DESK; kill++) {
      const message = question(CHATS[kill % CHATS.length] ?? "", kill);
      // The platform delivers again what it was not told was received.
      const again = said.filter(({ id }) => !acknowledged.has(id));
      said.push(message);
      const stage = kill < stages.length ? kill : Math.floor(random.next().value * stages.length);
      const life = await live(file, home, screen, stage, again, message);
      for (const id of life.received) acknowledged.add(id);
      unanswered += life.unanswered;
    }
    const worker = new ChannelWorker(file, home, (request) => screen.take(request));
    await worker.ready;
    for (const message of said) worker.say(message);
    await worker.until(() => said.every(({ id }) => worker.received.has(id)));
    // What it told before does not count; and an answer may just be on its way into the outbox.
    for (let times = 0; times < 3; times++) {
      worker.status = undefined;
      await worker.until(() => worker.settled);
    }
    const { unknown } = worker.status ?? {};
    await worker.kill();

    const { asked, answered } = await marksIn(home);
    const shown = CHATS.flatMap((chat) => marks(screen.textOf(chat)));
    const unknownParts = partsOfUnknownFate(home);
    const uncertain = unknownParts.flatMap(marks);
    expect(asked).toEqual(said.flatMap(({ message: { Text = "" } }) => marks(Text)).sort());
    expect(shown.filter((mark, index) => shown.indexOf(mark) !== index)).toEqual([]);
    expect(answered.filter((mark) => !shown.includes(mark) && !uncertain.includes(mark))).toEqual([]);
    expect(screen.swallowed.filter((mark) => !uncertain.includes(mark))).toEqual([]);
    expect({
      answered: answered.length > KILLS_OF_DESK,
      unanswered: unanswered > KILLS_OF_DESK / 4,
      unknown,
    }).toEqual({ answered: true, unanswered: true, unknown: unknownParts.length });
  },
  Math.max(180_000, KILLS_OF_DESK * 4_000),
);

test("a desk that is killed while an answer is made goes on with what it has shown", async () => {
  const home = temporaryFolder();
  const { file, remove } = workerProgram({ editEveryMs: 5 });
  onTestFinished(remove);
  const screen = new Screen();
  for (const count of [1, 2, 3]) {
    const message = inboundOf(`say: <a${count}.1> and so on\nstall`, {
      id: `a${count}`,
      place: { kind: "direct", chat: "a" },
      sender: { id: "a" },
    });
    const first = new ChannelWorker(file, home, (request) => screen.take(request));
    await first.ready;
    first.say(message);
    await first.until(() => screen.textOf("a").includes(`<a${count}.1> and so on`));
    // Until it knows what the platform calls it.
    await first.until(() => written(home).split('"state":"sent","as":').length > count);
    await first.kill();
    const second = new ChannelWorker(file, home, (request) => screen.take(request));
    await second.ready;
    const broken = () => screen.textOf("a").split("(Sorry, my answer was cut off here.)").length - 1;
    await second.until(() => broken() === count);
    await second.until(() => second.settled);
    await second.kill();
  }
  expect(marks(screen.textOf("a"))).toEqual(["<a1.1>", "<a2.1>", "<a3.1>"]);
}, 120_000);

function written(home: string): string {
  return readFileSync(join(home, "channels", "telegram", "default", "outbox.jsonl"), "utf8");
}

/** The text of each part that may or may not have been sent. One that only says that an answer was cut off has no mark. */
function partsOfUnknownFate(home: string): string[] {
  const records: OutboxRecord[] = written(home)
    .trimEnd()
    .split("\n")
    .flatMap((line) => readOutboxRecord(JSON.parse(line)) ?? []);
  const parts = new Map(records.flatMap((one) => (one.type === "answer" ? [[one.id, one.parts]] : [])));
  return records.flatMap((one) => {
    if (one.type !== "part" || one.state !== "unknown") return [];
    return [String(parts.get(one.id)?.[one.index]?.native)];
  });
}

/** What the sessions say was asked and answered. */
async function marksIn(home: string): Promise<{ asked: string[]; answered: string[] }> {
  const runtime = new Runtime({ home, config: {} });
  const [asked, answered]: [string[], string[]] = [[], []];
  try {
    for (const chat of CHATS) {
      const conversation = await runtime.begin({ key: `agent:main:telegram:dm:${chat}` });
      for (const message of await conversation.messages()) {
        if (message.role === "user") asked.push(...marks(JSON.stringify(message.content)));
        if (message.role === "assistant") answered.push(...marks(JSON.stringify(message.content)));
      }
    }
  } finally {
    await runtime.close();
  }
  return { asked: asked.sort(), answered: answered.sort() };
}
