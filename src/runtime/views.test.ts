import { mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { noteOf } from "../core/message/notes.js";
import type { UserMessage } from "../core/types.js";
import type { Conversation } from "./conversation.js";
import { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";

const home = folderForEachTest();
const open: Runtime[] = [];

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
});

function runtimeWith(config: Config, onNote?: (text: string) => void): Runtime {
  const options = { home: home("home"), config: { model: "demo/echo", ...config } };
  const runtime = new Runtime({ ...options, ...(onNote && { onNote }) });
  open.push(runtime);
  return runtime;
}

async function view(...path: string[]): Promise<string> {
  return readFile(join(home("home"), "views", ...path), "utf8");
}

const KEY = "agent:main:telegram:dm:123456789";

/** As the gateway stores a photo with a caption. */
const photo: UserMessage = {
  role: "user",
  content: [
    { type: "text", text: "See this." },
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    { type: "file", url: "https://example.test/clip.mp4" },
  ],
  sender: "123456789",
  timestamp: 1_740_000_001_000,
  ext: { inbound: { channel: "telegram", From: "123456789", MessageId: "7" } },
};

async function viewLosses(conversation: Conversation, target: string): Promise<string[]> {
  const notes = (await conversation.messages()).map(noteOf);
  return notes.flatMap((note) =>
    note?.type === "dragoman/losses" && note.data.border === "view" && note.data.target === target
      ? note.data.losses.map(({ what, why }) => `${what.replace(/ \(.*/s, "")}: ${why}`)
      : [],
  );
}

test("Cline's view is laid out as Cline's home, and has the prompt and the time of the last message", async () => {
  const config: Config = { views: ["cline"], agents: { main: { systemPrompt: "Be brief." } } };
  const conversation = await runtimeWith(config).begin({});
  const { id } = conversation.session;
  await conversation.send(user("one"));
  await conversation.idle();
  const first = JSON.parse(await view("cline", "data", "sessions", id, `${id}.messages.json`));
  expect(first).toMatchObject({ version: 1, sessionId: id, system_prompt: "Be brief." });
  await conversation.send(user("two"));
  await conversation.idle();
  const last = (await conversation.messages()).findLast(({ role }) => role === "assistant");
  const second = JSON.parse(await view("cline", "data", "sessions", id, `${id}.messages.json`));
  expect(Date.parse(second.updated_at)).toBeGreaterThanOrEqual(last?.timestamp ?? Number.NaN);
  expect(await readdir(join(home("home"), "agents", "main", "sessions"))).toEqual([`${id}.jsonl`]);
});

test("a picture that Cline's view cannot hold is a recorded loss, once", async () => {
  const conversation = await runtimeWith({ views: ["cline"] }).begin({ key: KEY });
  for (const message of [photo, photo]) {
    await conversation.send(message);
    await conversation.idle();
  }
  const losses = await viewLosses(conversation, "cline");
  expect(losses.filter((loss) => loss.startsWith("content."))).toEqual([
    "content.1: the contract has no block for a user's images, audio or files, nor for other dialects' blocks",
  ]);
});

test("the view for OpenClaw is named by the session key and holds what OpenClaw writes", async () => {
  const config: Config = { views: ["openclaw-turns"], agents: { main: { systemPrompt: "Be brief." } } };
  const conversation = await runtimeWith(config).begin({ key: KEY });
  await conversation.describe({ title: "Pictures" });
  await conversation.send(photo);
  await conversation.idle();
  const path = ["openclaw-turns", "agents", "main", "sessions", `${KEY}.jsonl`];
  const turns = (await view(...path))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(turns.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
  expect(turns[0].content).toEqual([{ type: "text", text: "Be brief." }]);
  expect(turns[1]).toMatchObject({
    content: [
      { type: "text", text: "See this." },
      { type: "image", source: { type: "url", url: "data:image/png;base64,iVBORw0KGgo=" } },
    ],
    mediaUrls: ["https://example.test/clip.mp4"],
    metadata: { channel: "telegram", peerId: "123456789", messageId: "7" },
  });
  expect(await viewLosses(conversation, "openclaw-turns")).toEqual([]);
  const { ino } = await stat(join(home("home"), "views", ...path));
  await conversation.send(user("more"));
  await conversation.idle();
  expect((await stat(join(home("home"), "views", ...path))).ino).not.toBe(ino);
});

test("what a view cannot tell is counted once, however often its file is written", async () => {
  const runtime = runtimeWith({ views: ["cline"] });
  const counted: string[] = [];
  runtime.watchLosses(({ border, losses }) => {
    if (border === "view") counted.push(...losses.map(({ at, what }) => `${at} ${what}`));
  });
  const conversation = await runtime.begin({});
  await conversation.send(photo);
  await conversation.idle();
  await conversation.send(photo);
  await conversation.idle();
  expect(counted.filter((loss) => loss.includes('{"type":"image"'))).toHaveLength(2);
  expect(counted).toEqual([...new Set(counted)]);
});

test.each([
  ["views", "views"],
  ["the folder of its dialect", "views/cline"],
  ["a folder below that", "views/cline/data/sessions"],
])("where %s is a symbolic link, nothing is written, and the reason is told", async (_, link) => {
  const outside = home("outside");
  await mkdir(outside);
  await mkdir(join(home("home"), link, ".."), { recursive: true });
  await symlink(outside, join(home("home"), link));
  const noted: string[] = [];
  const conversation = await runtimeWith({ views: ["cline"] }, (text) => noted.push(text)).begin({});
  await conversation.send(user("one"));
  await conversation.idle();
  expect(await readdir(outside)).toEqual([]);
  expect(noted).toEqual([
    `session ${conversation.session.id}: the view is not written: "${join(home("home"), link)}" is a symbolic link`,
  ]);
});

test("a home that is itself a symbolic link has its views", async () => {
  await mkdir(home("elsewhere"));
  await symlink(home("elsewhere"), home("home"));
  const conversation = await runtimeWith({ views: ["cline"] }).begin({});
  await conversation.send(user("one"));
  await conversation.idle();
  expect(await readdir(join(home("elsewhere"), "views/cline/data/sessions"))).toEqual([
    conversation.session.id,
  ]);
});
