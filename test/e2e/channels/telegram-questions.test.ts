import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { telegram } from "../../../src/channels/telegram/index.js";
import { testDesk as deskOn, type TestDeskOptions } from "../../fakes/desk.js";
import { TelegramFake } from "../../fakes/telegram/server.js";
import { event } from "../../fakes/watching.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const JOHN = 123456789;
const EVE = 666;
const GROUP = -1001;
const SCRIPT = 'call: exec {"command":"touch canary"}\n---\nsay: done';
let fake: TelegramFake;

beforeEach(async () => {
  fake = await TelegramFake.start();
  return () => fake.close();
});

function testDesk({ settings, ...options }: TestDeskOptions = {}) {
  const account = {
    token: fake.token,
    apiRoot: fake.apiRoot,
    direct: "open" as const,
    owners: [String(JOHN)],
    ...settings,
  };
  const config = { model: "demo/script" };
  return deskOn({ load: async () => telegram }, { config, ...options, settings: account });
}

/** The message with the buttons, once it is there. */
async function asked(chat = JOHN) {
  const find = () => fake.chats.seen(chat).findLast(({ buttons }) => buttons !== undefined);
  await fake.chats.until(() => find() !== undefined);
  return find();
}

function hasRun(home: string): boolean {
  return existsSync(join(home, "agents", "main", "workspace", "canary"));
}

const lastSaid = (chat = JOHN) => fake.said(chat).at(-1);

test("the owner allows a call with a button; the message then shows the outcome", async () => {
  const { home } = testDesk();
  fake.says(SCRIPT);
  const question = await asked();
  expect(question?.text).toMatch(
    /^🔐 May I run exec\?\n\ntouch canary\n\nExpires in 2 hours, on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\.$/,
  );
  expect(question?.buttons?.map(({ text }) => text)).toEqual([
    "Allow once",
    "Always in this conversation",
    "Deny",
  ]);
  expect(hasRun(home)).toBe(false);
  fake.presses("Allow once");
  await fake.chats.until(() => lastSaid() === "done");
  expect(hasRun(home)).toBe(true);
  expect(fake.queries.notices).toEqual(["Thanks, I've noted your answer."]);
  await fake.chats.until(() => fake.said(JOHN)[0]?.endsWith("✅ Allowed once.") === true);
  expect(fake.chats.seen(JOHN)[1]?.buttons).toBeUndefined();
  expect(fake.said(JOHN)).toEqual(["🔐 May I run exec?\n\ntouch canary\n\n✅ Allowed once.", "done"]);
});

test("in a group, only the owner's press counts", async () => {
  const { home } = testDesk({ settings: { allowGroups: [String(GROUP)] } });
  const chat = { id: GROUP, type: "supergroup", title: "Plans" } as const;
  const entities = [{ type: "mention", offset: 0, length: 9 }];
  fake.says(`@claw_bot\n${SCRIPT}`, { from: EVE, chat, entities });
  const question = await asked(GROUP);
  fake.presses("Allow once", { chat: GROUP, from: EVE });
  await fake.chats.until(() => fake.queries.notices.length === 1);
  expect(fake.queries.notices).toEqual(["Only my owner can answer this."]);
  expect(hasRun(home)).toBe(false);
  expect(question?.buttons).toHaveLength(3);
  fake.presses("Deny", { chat: GROUP, from: JOHN });
  await fake.chats.until(() => fake.said(GROUP).some((text) => text.endsWith("🚫 Denied.")));
  expect(hasRun(home)).toBe(false);
});

test("data of a changed client answers no question of another chat", async () => {
  const { runtime, home } = testDesk();
  const other = await runtime.begin({ key: "agent:main:main" });
  const opened = event(other, ({ type }) => type === "permission");
  await other.send({ role: "user", content: SCRIPT, timestamp: 1 });
  await opened;
  const [foreign] = await other.permissions.pending();
  fake.says(SCRIPT);
  await asked();
  fake.presses("Allow once", { data: `${other.session.id}.${foreign?.id}.o` });
  await fake.chats.until(() => fake.queries.notices.length === 1);
  fake.presses("Allow once", { data: "no button of ours" });
  await fake.chats.until(() => fake.queries.notices.length === 2);
  expect(fake.queries.notices).toEqual([
    "I don't know this question any more.",
    "I don't know this question any more.",
  ]);
  expect(hasRun(home)).toBe(false);
  expect(await other.permissions.pending()).toHaveLength(1);
});

test("a person who is not the owner sees no details and gets no buttons", async () => {
  testDesk();
  fake.says(SCRIPT, { from: EVE });
  await fake.chats.until(() => fake.said(EVE).length > 0);
  expect(fake.chats.seen(EVE)[1]).toMatchObject({
    text: "I need my owner's permission for the next step, so my answer may take a while.",
  });
  expect(fake.chats.seen(EVE)[1]?.buttons).toBeUndefined();
});

test("after a restart the same button answers, and the run continues", async () => {
  const home = temporaryFolder();
  const first = testDesk({ home });
  fake.says(SCRIPT);
  await asked();
  await first.stop();
  const { runtime } = testDesk({ home });
  await runtime.resume();
  fake.presses("Allow once");
  await fake.chats.until(() => lastSaid() === "done");
  expect(hasRun(home)).toBe(true);
  await fake.chats.until(() => fake.said(JOHN).some((text) => text.includes("✅ Allowed once.")));
  expect(fake.said(JOHN)).toHaveLength(2);
});

test("an owner's reply with a word answers, and another reply is a message", async () => {
  const { home } = testDesk();
  fake.says(SCRIPT);
  const question = await asked();
  const reply_to_message = { message_id: question?.id, from: fake.bot, text: "May I run exec?" };
  fake.says("say: not yet", { reply_to_message });
  fake.says("Yes!", { reply_to_message });
  await fake.chats.until(() => fake.said(JOHN).some((text) => text.includes("✅ Allowed once.")));
  await fake.chats.until(() => lastSaid() === "not yet");
  expect(hasRun(home)).toBe(true);
});

test("a question that expires shows that, without buttons", async () => {
  const config = { model: "demo/script", questions: { channelExpireAfterMinutes: 0.01 } };
  const { home } = testDesk({ config });
  fake.says(SCRIPT);
  await fake.chats.until(() => fake.said(JOHN).some((text) => text.includes("⌛ Expired")));
  expect(fake.chats.seen(JOHN)[1]?.buttons).toBeUndefined();
  expect(hasRun(home)).toBe(false);
});
