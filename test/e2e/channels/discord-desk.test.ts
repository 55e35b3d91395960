import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { discord } from "../../../src/channels/discord/index.js";
import { accountFolder } from "../../../src/gateway/channels/people-store.js";
import { testDesk as deskOn, type TestDeskOptions } from "../../fakes/desk.js";
import { type FakeMessage, startDiscordGateway } from "../../fakes/discord-gateway.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const SERVER = "3";
const CHANNEL = "30";
const DM = "77";
const EVE = { id: "66", username: "eve" };

let fake: Awaited<ReturnType<typeof startDiscordGateway>>;
let home: string;

beforeEach(async () => {
  fake = await startDiscordGateway();
  fake.addChannel({ id: CHANNEL, type: 0, guild_id: SERVER });
  fake.addChannel({ id: DM, type: 1 });
  home = temporaryFolder();
  // After the desk, which would come back otherwise.
  const { stop } = fake;
  onTestFinished(stop);
});

async function testDesk(memory: object, settings: NonNullable<TestDeskOptions["settings"]>) {
  // The account is called as the fake desk calls its only one.
  const folder = join(accountFolder(home, "telegram", "default"), "own");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "last-messages.json"), JSON.stringify(memory));
  const desk = deskOn({ load: async () => discord }, { home, settings: { ...fake.settings, ...settings } });
  await fake.until(() => fake.identifies() === 1);
  return desk;
}

const said = (channel_id: string, id: number, content: string, more: Partial<FakeMessage> = {}) => ({
  id: String(id),
  channel_id,
  content,
  ...more,
});
const answers = () => fake.posted.map(({ channel, body }) => `${channel}: ${body["content"]}`);

test.each([
  ["with the place of the channel", { last: "100", kind: "server", server: SERVER }],
  ["without it", "100"],
])("what was missed in a server is not answered as a direct message: a file %s", async (_, entry) => {
  fake.write(said(CHANNEL, 101, "to somebody else"));
  fake.write(said(CHANNEL, 102, "me too", { author: EVE }));
  const { desk } = await testDesk(
    { [CHANNEL]: entry, [DM]: { last: "100", kind: "direct" } },
    { direct: "pairing", allow: ["42"], owners: ["42"] },
  );
  fake.ready([SERVER]);
  fake.say(said(DM, 103, "first"));
  await fake.until(() => fake.posted.length === 1);
  fake.guild(SERVER);
  fake.say(said(CHANNEL, 104, "/status"));
  fake.say(said(CHANNEL, 105, "<@555> now you", { mentions: [{ id: "555", username: "bot" }] }));
  await fake.until(() => fake.posted.length === 2);
  expect(answers()[0]).toBe("77: first");
  expect(answers()[1]).toMatch(/^30: [\s\S]*to somebody else[\s\S]*me too[\s\S]*@bot now you$/);
  expect((await desk.status())[0]?.pairing).toBe(0);
});

test("a question that was edited while the gateway was down is answered", async () => {
  fake.write(said(DM, 101, "fixed", { edited_timestamp: "2026-01-01T00:01:00+00:00" }));
  await testDesk({ [DM]: { last: "100", kind: "direct" } }, { direct: "open" });
  fake.ready();
  await fake.until(() => fake.posted.length === 1);
  expect(answers()).toEqual(["77: fixed"]);
});

test("a link in an answer is not fetched by Discord, and the answer to an edit names the message", async () => {
  await testDesk({}, { groups: "always", allowGroups: [CHANNEL], direct: "open" });
  fake.ready([SERVER]);
  fake.guild(SERVER);
  fake.say(said(CHANNEL, 101, "https://evil.example/?leak=secret"));
  await fake.until(() => fake.posted.length === 1);
  fake.edit(said(CHANNEL, 101, "better", { edited_timestamp: "2026-01-01T00:01:00+00:00" }), true);
  await fake.until(() => fake.posted.length === 2);
  const reference = { message_id: "101", channel_id: CHANNEL, fail_if_not_exists: false };
  expect(fake.posted.map(({ body }) => [body["flags"], body["message_reference"]])).toEqual([
    [4, reference],
    [4, reference],
  ]);
});

test.each(["<@555> /status", "/status@My Helper"])("a bot whose name has a space obeys %j", async (text) => {
  fake.rename("My Helper");
  await testDesk({}, { owners: ["42"] });
  fake.ready([SERVER]);
  fake.guild(SERVER);
  const mentions = text.startsWith("<") ? [{ id: "555", username: "My Helper" }] : [];
  fake.say(said(CHANNEL, 101, text, { mentions }));
  await fake.until(() => fake.posted.length === 1);
  expect(answers()[0]).toMatch(/^30: Model: demo\/echo\n/);
});

test.each(["/status@helper_bot", "/status@My Helper", "/status <@555>", "<@555> /status"])(
  "a bot with a user name and another name that is shown obeys %j, and nothing for another bot",
  async (text) => {
    fake.rename("helper_bot", "My Helper");
    await testDesk({}, { owners: ["42"] });
    fake.ready([SERVER]);
    fake.guild(SERVER);
    const bot = { id: "555", username: "helper_bot", global_name: "My Helper" };
    const other = { id: "556", username: "other_bot" };
    fake.say(said(CHANNEL, 101, "/status@other_bot"));
    fake.say(said(CHANNEL, 102, "/status <@556>", { mentions: [other] }));
    fake.say(said(CHANNEL, 103, text, { mentions: text.includes("<") ? [bot] : [] }));
    await fake.until(() => fake.posted.length === 1);
    fake.say(said(DM, 104, "/help"));
    await fake.until(() => fake.posted.length === 2);
    expect(answers()[0]).toMatch(/^30: Model: demo\/echo\n/);
    expect(answers()[1]).toMatch(/^77: \/help/);
  },
);

test.each([
  ["in the list", { allow: ["42"] }, ["78: hello?"]],
  ["an owner", { owners: ["42"] }, ["78: hello?"]],
  ["in the list, but direct messages are off", { allow: ["42"], direct: "off" as const }, []],
])("the first message of somebody %s, written while the gateway was down", async (_, settings, said) => {
  fake.addPerson("42", "78");
  fake.write({ id: "105", channel_id: "78", content: "hello?" });
  fake.write({ id: "106", channel_id: DM, content: "last", author: EVE });
  await testDesk({ [DM]: { last: "100", kind: "direct" } }, { direct: "allowlist", ...settings });
  fake.ready();
  await fake.until(() => fake.requests.some((request) => request.includes("/channels/77/messages")));
  await fake.until(() => fake.posted.length === said.length);
  expect(answers()).toEqual(said);
  expect(fake.requests.filter((request) => request === "POST /users/@me/channels")).toHaveLength(said.length);
});
