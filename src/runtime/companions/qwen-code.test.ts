import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { load } from "../../convert/detect.js";
import type { AgentMessage } from "../../core/types.js";
import { openSource } from "../sources/source.js";
import { fileMessages } from "../transcript.js";

const SESSION = "6e3b8c0d-1111-4222-8333-444455556666";

function line(uuid: string, parentUuid: string | null, text: string, more: object = {}): string {
  const frame = { uuid, parentUuid, sessionId: SESSION, timestamp: "2026-01-15T09:30:00.000Z", type: "user" };
  const message = { role: "user", parts: [{ text }] };
  return `${JSON.stringify({ ...frame, cwd: "/w", version: "0.15.10", message, ...more })}\n`;
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function userTexts(message: AgentMessage): unknown[] {
  return message.role === "user" ? [message.content] : [];
}

test.each(["chats", "chats/archive"])(
  "a session in %s has its sub-agents beside the conversation",
  async (folder) => {
    const root = temporaryFolder();
    const path = write(
      join(root, "-app", folder, `${SESSION}.jsonl`),
      line("u1", null, "Look around") + line("u2", "u1", "And then?"),
    );
    const side = { isSidechain: true, agentId: "explore-1" };
    write(
      join(root, "-app/subagents", SESSION, "agent-explore-1.jsonl"),
      line("s1", null, "You explore", side),
    );
    write(join(root, "-app/subagents", SESSION, "agent-explore-1.meta.json"), "{}");

    const conversation: unknown[] = [];
    for await (const message of fileMessages(path, await load("qwen-code")))
      conversation.push(...userTexts(message));
    expect(conversation).toEqual(["Look around", "And then?"]);

    const options = {
      name: "qwen-code",
      dialect: "qwen-code",
      roots: [root],
      files: ["*/{id}.jsonl", "*/*/{id}.jsonl"],
    };
    const source = openSource({ ...options, onNote: (text) => expect.fail(text) });
    const all: unknown[] = [];
    for await (const message of source.readForeign(path, expect.fail)) all.push(...userTexts(message));
    expect(all).toEqual(["Look around", "And then?", "You explore"]);
  },
);
