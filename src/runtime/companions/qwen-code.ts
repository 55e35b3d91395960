import { basename, dirname, join } from "node:path";
import { entriesOf } from "../../log/files/folder.js";
import type { Companions } from "./companions.js";
import { fileLines, joinLines } from "./file-lines.js";

/**
 * Qwen Code keeps sub-agents beside the folder of a project's sessions:
 *
 *     projects/<slug>/chats/<session>.jsonl, or chats/archive/<session>.jsonl
 *     projects/<slug>/subagents/<session>/agent-<id>.jsonl
 *
 * Joined, the lines of sub-agents follow the session's own. Each states that it is a sub-agent's.
 */
export const qwenCodeCompanions: Companions = { filesOf: subAgentFiles, join: joinFiles };

const AGENT = /^agent-.+\.jsonl$/;

async function subAgentFiles(path: string): Promise<string[]> {
  const folder = dirname(path);
  const chats = basename(folder) === "archive" ? dirname(folder) : folder;
  if (basename(chats) !== "chats") return [];
  const agents = join(dirname(chats), "subagents", basename(path, ".jsonl"));
  const entries = await entriesOf(agents);
  return entries
    .filter((entry) => entry.isFile() && AGENT.test(entry.name))
    .map(({ name }) => join(agents, name))
    .sort();
}

async function* joinFiles(path: string): AsyncGenerator<Uint8Array> {
  for (const file of [path, ...(await subAgentFiles(path))]) {
    for await (const lines of fileLines(file)) yield joinLines(lines);
  }
}
