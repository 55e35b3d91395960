import { appendFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { opencodeDatabase } from "../../../test/fakes/opencode-database.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { load } from "../../convert/detect.js";
import type { AgentMessage } from "../../core/types.js";
import { openSessions } from "../../runtime/sessions.js";
import { tailFile } from "../../runtime/tail/file-tail.js";
import { NewMessages } from "../../runtime/tail/new-messages.js";
import { isShown } from "../sessions/is-shown.js";

/** Follows a session as `view --follow` does: each call returns what is new, one line for each text or call. */
async function follow(path: string, dialect: string): Promise<() => Promise<string[]>> {
  const tail = tailFile(path, await load(dialect), { isWanted: isShown, last: 10 });
  const news = new NewMessages();
  return async () => {
    const added = await tail.read();
    const found = added === undefined ? [] : news.accept(added);
    return found.filter(({ message }) => isShown(message)).flatMap(({ message }) => linesOf(message));
  };
}

function linesOf(message: AgentMessage): string[] {
  if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult") return [];
  const { role, content } = message;
  if (typeof content === "string") return [`${role}: ${content}`];
  return content.map((block) => {
    if (block.type === "toolCall") return `${role}: ${JSON.stringify(block.arguments)}`;
    return `${role}: ${block.type === "text" ? block.text : block.type}`;
  });
}

/** Sets a time of its own, because the clock of a file system may be too coarse for two writes. */
function rewrite(path: string, value: object): void {
  const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  writeFileSync(path, JSON.stringify(value, undefined, 2));
  utimesSync(path, before / 1000 + 1, before / 1000 + 1);
}

test("a Codex session, which grows by lines", async () => {
  const path = join(temporaryFolder(), "rollout.jsonl");
  const timestamp = "2026-03-02T09:00:00.000Z";
  const append = (type: string, payload: object) =>
    appendFileSync(path, `${JSON.stringify({ timestamp, type, payload })}\n`);
  const id = "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c0a";
  append("session_meta", { id, timestamp, cwd: "/w", originator: "codex_cli_rs", cli_version: "0.166.0" });
  const prompt = [{ type: "input_text", text: "List files" }];
  append("response_item", { type: "message", role: "user", content: prompt });
  const news = await follow(path, "codex");
  expect(await news()).toEqual(["user: List files"]);
  append("response_item", { type: "function_call", name: "exec", arguments: '{"cmd":"ls"}', call_id: "c1" });
  expect(await news()).toEqual(['assistant: {"cmd":"ls"}']);
  append("response_item", { type: "function_call_output", call_id: "c1", output: "a.txt" });
  append("response_item", {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "One." }],
  });
  expect(await news()).toEqual(["toolResult: a.txt", "assistant: One."]);
  expect(await news()).toEqual([]);
});

test("a Gemini CLI session in JSON, which is rewritten", async () => {
  const path = join(temporaryFolder(), "session.json");
  const header = { sessionId: "s1", projectHash: "p", startTime: "2026-03-02T09:00:00.000Z" };
  const user = { id: "u1", timestamp: "2026-03-02T09:00:01.000Z", type: "user", content: "List files" };
  const answer = { id: "g1", timestamp: "2026-03-02T09:00:02.000Z", type: "gemini", content: "Here:" };
  const call = { id: "c1", name: "ls", args: { path: "." }, status: "success", timestamp: answer.timestamp };
  rewrite(path, { ...header, messages: [user] });
  const news = await follow(path, "gemini-cli");
  expect(await news()).toEqual(["user: List files"]);
  rewrite(path, { ...header, messages: [user, answer] });
  expect(await news()).toEqual(["assistant: Here:"]);
  rewrite(path, { ...header, messages: [user, { ...answer, toolCalls: [call] }] });
  expect(await news()).toEqual(['assistant: {"path":"."}']);
  expect(await news()).toEqual([]);
});

test("an opencode session, which is in a database", async () => {
  const opencode = opencodeDatabase(join(temporaryFolder(), "opencode.db"));
  opencode.addSession("ses_1");
  opencode.addSession("ses_2");
  opencode.addUser("ses_1", "msg_1", "List files");
  opencode.publish();
  const news = await follow(join(opencode.path, "ses_1"), "opencode");
  const published = () => {
    opencode.publish();
    return news();
  };
  expect(await news()).toEqual(["user: List files"]);
  opencode.addAnswer("ses_1", "msg_2", "msg_1");
  expect(await published()).toEqual([]);
  opencode.setPart("msg_2", "prt_21", { type: "text", text: "" });
  opencode.addUser("ses_2", "msg_3", "In another session");
  expect(await published()).toEqual([]);
  opencode.setPart("msg_2", "prt_21", { type: "text", text: "Here:" });
  opencode.setPart("msg_2", "prt_22", {
    type: "tool",
    callID: "c1",
    tool: "ls",
    state: { status: "pending", input: {}, raw: "" },
  });
  expect(await published()).toEqual(["assistant: Here:"]);
  const state = { status: "running", input: { path: "." }, time: { start: 1 } };
  opencode.setPart("msg_2", "prt_22", { type: "tool", callID: "c1", tool: "ls", state });
  expect(await published()).toEqual(['assistant: {"path":"."}']);
  const done = {
    ...state,
    status: "completed",
    output: "a.txt",
    title: "",
    metadata: {},
    time: { start: 1, end: 2 },
  };
  opencode.setPart("msg_2", "prt_22", { type: "tool", callID: "c1", tool: "ls", state: done });
  opencode.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  expect(await published()).toEqual(["toolResult: a.txt"]);
  expect(await news()).toEqual([]);
});

test("a session of our own", async () => {
  const { log, catalogue } = await openSessions(temporaryFolder());
  const session = await log.create({ agent: "main" });
  await catalogue.update();
  const { path = "" } = (await catalogue.get(session.id)) ?? {};
  const news = await follow(path, "openclaw");
  expect(await news()).toEqual([]);
  await session.append([{ role: "user", content: "Hello", timestamp: 1 }]);
  expect(await news()).toEqual(["user: Hello"]);
  await session.append([{ role: "user", content: "Again", timestamp: 2 }]);
  expect(await news()).toEqual(["user: Again"]);
  await session.close();
  await catalogue.close();
});
