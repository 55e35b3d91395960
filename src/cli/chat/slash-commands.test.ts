import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { event } from "../../../test/fakes/watching.js";
import { Runtime } from "../../runtime/runtime.js";
import { painter } from "../terminal/colour.js";
import { isSlashCommand, runSlashCommand, type SlashContext } from "./slash-commands.js";
import { Talk } from "./talk.js";

let home: string;
let talk: Talk;
let told: string[];
let context: SlashContext;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "dragoman-slash-"));
  talk = new Talk(new Runtime({ home, config: { model: "demo/script" } }), { cwd: home });
  told = [];
  let thinking = false;
  context = {
    talk,
    style: { paint: painter(false), columns: 80 },
    print: (...lines) => told.push(...lines),
    isWorking: () => talk.current?.busy === true,
    switchTo: (conversation) => {
      talk.current = conversation;
    },
    toggleThinking: () => {
      thinking = !thinking;
      return thinking;
    },
    interruptible: (_, work) => work(new AbortController().signal),
    exit: () => told.push("left"),
    resume: (id) => `resume ${id}`,
  };
});

afterEach(async () => {
  await talk.runtime.close();
  await rm(home, { recursive: true, force: true });
});

/** What a command tells. */
async function typed(text: string): Promise<string[]> {
  told.length = 0;
  await runSlashCommand(text, context);
  return [...told];
}

async function say(text: string): Promise<void> {
  const conversation = await talk.begin();
  await conversation.send({ role: "user", content: text, timestamp: 1 });
  await conversation.idle();
}

test.each([
  ["/usage", true],
  [" /export a file.json --to pi", true],
  ["/etc/passwd is what?", false],
  ["1/2", false],
  ["/", false],
])("%j is a command: %s", (text, expected) => {
  expect(isSlashCommand(text)).toBe(expected);
});

test("a command typed wrong", async () => {
  expect(await typed("/compcat")).toEqual(["unknown command /compcat; did you mean /compact?"]);
  expect(await typed("/banana")).toEqual(["unknown command /banana; /help lists the commands"]);
});

test("before anything was said", async () => {
  expect(await typed("/session")).toEqual(["no messages yet; agent main"]);
  expect(await typed("/fork")).toEqual(["no messages yet"]);
  expect(await typed("/export x.json")).toEqual(["no messages yet"]);
  expect(await typed("/undo")).toEqual(["no summary to undo"]);
  expect(await typed("/usage")).toEqual(["no answers yet"]);
});

test("a model that is chosen stays, also in the next session", async () => {
  expect(await typed("/model")).toEqual(["model: demo/script"]);
  expect(await typed("/model demo/echo")).toEqual(["model set to demo/echo"]);
  await say("hi");
  expect(await typed("/usage")).toContain("demo/echo");
  await typed("/new");
  expect(talk.current).toBeUndefined();
  expect(await typed("/model")).toEqual(["model: demo/echo"]);
  await expect(typed("/model nobody/x")).rejects.toMatchObject({ code: "provider/unknown" });
});

test("a fork goes on by itself", async () => {
  await say("say: one");
  const first = talk.current?.session.id;
  await typed("/fork");
  expect(talk.current?.session.id).not.toBe(first);
  expect(await typed("/session")).toContain("length         2 messages");
});

test("a short session is not summarised", async () => {
  await say("say: one");
  expect(await typed("/compact")).toEqual(["not enough to summarise"]);
});

test("thoughts, and leaving", async () => {
  expect(await typed("/thinking")).toEqual(["thinking is shown"]);
  expect(await typed("/thinking")).toEqual(["thinking is hidden"]);
  expect(await typed("/quit")).toEqual(["left"]);
});

test("some commands wait for the answer", async () => {
  const conversation = await talk.begin();
  await conversation.send({ role: "user", content: "stall", timestamp: 1 });
  expect(await typed("/new")).toEqual([
    "/new is not available while an answer is running; press Ctrl-C to stop it",
  ]);
});

test("permission requests that wait are listed, with the command that leads to each", async () => {
  expect(await typed("/questions")).toEqual(["no permission request is waiting"]);
  const conversation = await talk.begin();
  const asked = event(conversation, ({ type }) => type === "permission");
  const leave = conversation.watch(() => undefined, { asks: true });
  await conversation.send({ role: "user", content: 'call: exec {"command":"ls"}', timestamp: 1 });
  await asked;
  leave();
  const { id } = conversation.session;
  expect(await typed("/questions")).toEqual([
    "exec: ls",
    expect.stringMatching(new RegExp(`^  expires .*\\d\\d:\\d\\d; answer with: resume ${id}$`)),
  ]);
  conversation.abort();
  await conversation.idle();
  expect(await typed("/questions")).toEqual(["no permission request is waiting"]);
});
