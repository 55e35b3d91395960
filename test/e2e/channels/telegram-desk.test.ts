import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { telegram } from "../../../src/channels/telegram/index.js";
import type { Channel } from "../../../src/channels/types.js";
import { testDesk as deskOn, type TestDeskOptions } from "../../fakes/desk.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { TelegramFake } from "../../fakes/telegram/server.js";

const JOHN = 123456789;
let fake: TelegramFake;

beforeEach(async () => {
  fake = await TelegramFake.start();
  return () => fake.close();
});

function testDesk({ settings, ...options }: TestDeskOptions = {}, channel: Channel = telegram) {
  const account = { token: fake.token, apiRoot: fake.apiRoot, direct: "open" as const, ...settings };
  return deskOn({ load: async () => channel }, { ...options, settings: account });
}

async function answers(count: number, chat = JOHN): Promise<string[]> {
  await fake.chats.until(() => fake.said(chat).length >= count);
  return fake.said(chat);
}

function methods(...names: string[]): string[] {
  return fake.calls.map(({ method }) => method).filter((method) => names.includes(method));
}

test("a message in, an answer out, in Telegram's formatting", async () => {
  testDesk();
  fake.says("**Hello** <there>");
  expect(await answers(1)).toEqual(["Hello <there>"]);
  expect(fake.chats.seen(JOHN)[1]?.entities).toEqual([{ type: "bold", offset: 0, length: 5 }]);
});

test("a topic is answered in its topic, as a reply", async () => {
  testDesk({ settings: { allowGroups: ["-1001"] } });
  const chat = { id: -1001, type: "supergroup", title: "Plans", is_forum: true, topics: [42] } as const;
  const topic = { chat, is_topic_message: true, message_thread_id: 42 };
  const entities = [{ type: "mention", offset: 0, length: 9 }];
  const asked = fake.says("@claw_bot where?", { ...topic, entities });
  await answers(1, -1001);
  expect(fake.chats.seen(-1001)[1]).toMatchObject({ thread: 42, replyTo: asked });
});

const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const refusal = { status: 400, description: "Bad Request: PHOTO_INVALID_DIMENSIONS" };

test.each([
  ["as one album", png, undefined, ["sendMediaGroup"], "photo"],
  [
    "one by one where Telegram refuses the album",
    png,
    refusal,
    ["sendMediaGroup", "sendPhoto", "sendPhoto"],
    "photo",
  ],
  [
    "one by one where one is no picture",
    Buffer.from("x"),
    undefined,
    ["sendPhoto", "sendDocument"],
    "document",
  ],
])("files of an answer are sent %s, each once", async (_, second, fault, requests, kind) => {
  if (fault !== undefined) fake.fail("sendMediaGroup", fault);
  const { runtime, desk } = testDesk();
  const workspace = runtime.agents.workspaceOf("main");
  await mkdir(workspace, { recursive: true });
  await writeFile(join(workspace, "a.png"), png);
  await writeFile(join(workspace, "b.png"), second);
  fake.says("![one](a.png) ![two](b.png)");
  const files = () =>
    fake.chats.seen(JOHN).flatMap(({ file }) => (file === undefined ? [] : [[file.kind, file.name]]));
  await fake.chats.until(() => files().length === 2);
  expect(files()).toEqual([
    ["photo", "a.png"],
    [kind, "b.png"],
  ]);
  expect(methods("sendMediaGroup", "sendPhoto", "sendDocument")).toEqual(requests);
  expect((await desk.status())[0]).toMatchObject({ unknown: 0, refused: 0 });
});

test("an album is one message", async () => {
  const { runtime } = testDesk();
  const photo = (text: string) => {
    const bytes = Buffer.from(`\x89PNG\r\n\x1a\n${text}`, "latin1");
    return [{ file_id: fake.files.add(bytes), width: 1, height: 1, file_size: bytes.length }];
  };
  fake.says(undefined, { photo: photo("one"), media_group_id: "5", caption: "Two cats" });
  fake.says(undefined, { photo: photo("two"), media_group_id: "5" });
  const [answer = ""] = await answers(1);
  expect(answer).toContain("Two cats");
  const conversation = await runtime.begin({ key: "agent:main:telegram:dm:123456789" });
  const said = (await conversation.messages()).filter(({ role }) => role === "user");
  expect(said).toMatchObject([
    { content: [{ type: "text", text: "Two cats" }, { type: "image" }, { type: "image" }] },
  ]);
});

test("a pause that Telegram asks for is kept, and the answer comes once", async () => {
  testDesk();
  fake.fail("sendMessage", { status: 429, retryAfter: 1 });
  fake.says("patience");
  expect(await answers(1)).toEqual(["patience"]);
  expect(methods("sendMessage")).toEqual(["sendMessage", "sendMessage"]);
});

test("an answer whose fate is unknown is marked, and not repeated", async () => {
  const { desk } = testDesk();
  fake.fail("sendMessage", "drop");
  fake.says("once");
  await answers(1);
  fake.says("twice");
  expect(await answers(2)).toEqual(["once", "twice"]);
  await expect
    .poll(() => desk.status(), { timeout: 30_000 })
    .toMatchObject([{ unknown: 1, unsent: 0, refused: 0 }]);
  expect(methods("sendMessage")).toEqual(["sendMessage", "sendMessage"]);
});

test("a long answer comes in parts, in order", async () => {
  const model = new SteppedModel();
  testDesk({ config: model.config, fetch: model.fetch });
  fake.says("Tell me all");
  await model.isAsked(1);
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n} ${"word ".repeat(8)}`.trimEnd());
  model.send({ text: `\`\`\`text\n${lines.join("\n")}\n\`\`\``, stop: "stop" });
  const said = await answers(3);
  expect(said.flatMap((part) => part.split("\n"))).toEqual(lines);
  expect(fake.chats.seen(JOHN).map(({ entities }) => entities.map(({ type }) => type))).toEqual([
    [],
    ["pre"],
    ["pre"],
    ["pre"],
  ]);
});

test("an answer grows while it is made, and no edit is in vain", async () => {
  const model = new SteppedModel();
  testDesk({ config: model.config, fetch: model.fetch });
  fake.says("Tell me");
  await model.isAsked(1);
  model.send({ text: "Once upon **a" });
  expect(await answers(1)).toEqual(["Once upon **a"]);
  model.send({ text: " time** there" });
  await fake.chats.until(() => fake.said(JOHN)[0] === "Once upon a time there");
  model.send({ text: " was an end.", stop: "stop" });
  await fake.chats.until(() => fake.said(JOHN)[0] === "Once upon a time there was an end.");
  expect(fake.chats.seen(JOHN)[1]?.before).toEqual(["Once upon **a", "Once upon a time there"]);
  expect(methods("sendMessage", "editMessageText")).toEqual([
    "sendMessage",
    "editMessageText",
    "editMessageText",
  ]);
});

test("a group's limit, used up by a preview, costs the answer no word and says nothing twice", async () => {
  const model = new SteppedModel();
  const traits = { ...telegram.traits, editEveryMs: 20, groupEditEveryMs: 20, sendEveryMs: 0 };
  fake.chats.groupLimit = 2;
  testDesk(
    { config: model.config, fetch: model.fetch, settings: { allowGroups: ["-7"], groups: "always" } },
    { ...telegram, traits },
  );
  fake.says("Tell me", { chat: { id: -7, type: "group", title: "Us" } });
  await model.isAsked(1);
  model.send({ text: "one" });
  await fake.chats.until(() => fake.said(-7)[0] === "one");
  model.send({ text: " two" });
  await fake.chats.until(() => fake.said(-7)[0] === "one two");
  model.send({ text: " three" });
  await fake.chats.until(() => fake.chats.tooMany === 1);
  model.send({ text: " and an end.", stop: "stop" });
  await fake.chats.until(() => fake.chats.tooMany === 2);
  fake.chats.groupLimit = 20;
  await fake.chats.until(() => fake.said(-7)[0] === "one two three and an end.");
  expect(fake.said(-7)).toEqual(["one two three and an end."]);
  expect(fake.chats.seen(-7)[1]?.before).toEqual(["one", "one two"]);
});

test("another bot in the same account has messages of its own, though they have the same numbers", async () => {
  const first = testDesk();
  const numbers = [fake.says("to the first bot"), fake.says("once more")];
  await answers(1);
  await first.stop();
  const other = await TelegramFake.start(123123);
  onTestFinished(() => other.close());
  deskOn(
    { load: async () => telegram },
    { home: first.home, settings: { token: other.token, apiRoot: other.apiRoot, direct: "open" } },
  );
  expect([other.says("to the second bot"), other.says("and again")]).toEqual(numbers);
  await other.chats.until(() => other.said(JOHN).length > 0);
  expect(other.said(JOHN)).toEqual(["to the second bot\nand again"]);
});

test("after a break a command keeps its place between the questions, and an edit replaces its message", async () => {
  const first = fake.says("question one");
  fake.says("question one, corrected", { kind: "edited_message", message_id: first });
  fake.says("/new");
  fake.says("question two");
  const { runtime } = testDesk({ settings: { owners: [String(JOHN)] } });
  // The model takes its time, and the command does not wait for it.
  expect((await answers(3)).sort()).toEqual([
    "Let's start fresh. I've kept our previous conversation.",
    "question one, corrected",
    "question two",
  ]);
  const conversation = await runtime.begin({ key: "agent:main:telegram:dm:123456789" });
  const asked = (await conversation.messages()).filter(({ role }) => role === "user");
  expect(asked).toMatchObject([{ content: "question two" }]);
});

test("a question that is stopped at once is not answered", async () => {
  const model = new SteppedModel();
  testDesk({ settings: { owners: [String(JOHN)] }, config: model.config, fetch: model.fetch });
  fake.says("question");
  fake.says("/stop");
  expect((await answers(1))[0]).toBe("Okay, I've stopped.");
});
