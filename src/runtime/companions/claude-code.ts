import { lstat, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { locatePointer } from "../../core/json/locate.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { textSearch } from "../../framing/contains-text.js";
import { fallbackIfMissing } from "../../log/files/disk-error.js";
import { entriesOf } from "../../log/files/folder.js";
import type { Companions, OnMissing } from "./companions.js";
import { fileLines, isBlank, joinLines, objectOn } from "./file-lines.js";

/**
 * Claude Code keeps sub-agents and large tool results beside a session:
 *
 *     projects/<slug>/<session>.jsonl
 *     projects/<slug>/<session>/subagents/agent-<id>.jsonl, agent-<id>.meta.json
 *     projects/<slug>/<session>/tool-results/<name>.txt
 *     projects/<slug>/agent-<id>.jsonl                              in older versions
 *
 * Joined, the lines of sub-agents follow the session's own, as in the versions that kept them in one file. What a model was
 * shown stays as it is: the full text of a result is added to its details.
 */
export const claudeCodeCompanions: Companions = { filesOf: subAgentFiles, join: joinFiles };

const AGENT = /^agent-(.+)\.jsonl$/;

/** A copy under another name has no such folder. */
function folderOf(path: string): string {
  const folder = path.replace(/\.jsonl$/, "");
  return folder === path ? `${path}.folder` : folder;
}

async function subAgentFiles(path: string): Promise<string[]> {
  const folder = join(folderOf(path), "subagents");
  const entries = await entriesOf(folder);
  return entries
    .filter((entry) => entry.isFile() && AGENT.test(entry.name))
    .map(({ name }) => join(folder, name));
}

async function* joinFiles(path: string, onMissing: OnMissing): AsyncGenerator<Uint8Array> {
  /** Sub-agents that the session mentions, and where. */
  const mentioned = new Map<string, string>();
  const inline = new Set<unknown>();
  let index = 0;
  for await (const lines of fileLines(path)) {
    const joined: Buffer[] = [];
    for (const line of lines) {
      const at = `/${index}`;
      if (!isBlank(line)) index += 1;
      const record = mentionsOthers(line) ? objectOn(line) : undefined;
      if (record === undefined) {
        joined.push(line);
        continue;
      }
      const { toolUseResult: result, isSidechain, agentId } = record;
      if (isSidechain === true) inline.add(agentId);
      if (isObject(result) && isString(result["agentId"])) mentioned.set(result["agentId"], at);
      const full = await withFullOutput(line, result, path, (why) =>
        onMissing({ at, what: "the full output of a tool call", why, severity: "dropped", of: "content" }),
      );
      joined.push(full);
    }
    yield joinLines(joined);
  }
  const files = new Map((await subAgentFiles(path)).map((file) => [agentIn(file), file]));
  for (const [agent, at] of mentioned) {
    if (files.has(agent) || inline.has(agent)) continue;
    const older = join(dirname(path), `agent-${basename(agent)}.jsonl`);
    if (await isFile(older)) files.set(agent, older);
    else {
      const what = `the messages of sub-agent ${agent}`;
      onMissing({ at, what, why: "its file is missing", severity: "dropped", of: "message" });
    }
  }
  for (const [agent, file] of files) yield* subAgentLines(agent, file, index, onMissing);
}

const hasOutputPath = textSearch('"persistedOutputPath"');
const hasAgentId = textSearch('"agentId"');

/** A fast check, so that most lines are not parsed here. */
function mentionsOthers(line: Buffer): boolean {
  return hasOutputPath(line) || hasAgentId(line);
}

function agentIn(file: string): string {
  return AGENT.exec(basename(file))?.[1] ?? "";
}

/**
 * A line with the text of its spilled result as `toolUseResult.persistedOutput`. Only the name of the recorded path is used:
 * a session from elsewhere must not be able to name other files of this computer.
 */
async function withFullOutput(
  line: Buffer,
  result: unknown,
  path: string,
  onMissing: (why: string) => void,
): Promise<Buffer> {
  const recorded = isObject(result) ? result["persistedOutputPath"] : undefined;
  if (!isString(recorded)) return line;
  const name = basename(recorded.replaceAll("\\", "/"));
  const file = join(folderOf(path), "tool-results", name);
  const text = line.toString("utf8");
  const { offset } = locatePointer(text, "/toolUseResult") ?? {};
  if (offset === undefined || !(await isFile(file))) {
    onMissing(`tool-results/${name} is missing`);
    return line;
  }
  const output = JSON.stringify(await readFile(file, "utf8"));
  return Buffer.from(`${text.slice(0, offset + 1)}"persistedOutput":${output},${text.slice(offset + 1)}`);
}

async function* subAgentLines(
  agent: string,
  file: string,
  end: number,
  onMissing: OnMissing,
): AsyncGenerator<Uint8Array> {
  let meta = await metaOf(file);
  let dropped = 0;
  for await (const lines of fileLines(file)) {
    const joined: Buffer[] = [];
    for (const line of lines) {
      const record = objectOn(line);
      if (record === undefined || !isString(record["uuid"])) {
        dropped += Number(!isBlank(line));
        continue;
      }
      joined.push(sideLine(line, record, meta));
      meta = undefined;
    }
    yield joinLines(joined);
  }
  if (dropped === 0) return;
  const what = `${dropped} of the lines of sub-agent ${agent}`;
  const why = "lines without a place in the conversation cannot be told from the session's own";
  onMissing({ at: `/${end}`, what, why, severity: "dropped" });
}

/** A line that is marked as a sub-agent's; the first one carries what is known of the sub-agent. */
function sideLine(line: Buffer, record: JsonObject, meta: string | undefined): Buffer {
  const text = record["isSidechain"] === true ? line : sidechain(record);
  if (meta === undefined) return text;
  const begin = text.indexOf("{") + 1;
  return Buffer.concat([text.subarray(0, begin), Buffer.from(`"agentMeta":${meta},`), text.subarray(begin)]);
}

function sidechain(record: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ ...record, isSidechain: true }));
}

/** What Claude Code knows of a sub-agent: its type, its task and the call that started it. As JSON on one line. */
async function metaOf(file: string): Promise<string | undefined> {
  const text = await fallbackIfMissing(readFile(file.replace(/\.jsonl$/, ".meta.json"), "utf8"), "");
  const meta = objectOn(Buffer.from(text));
  return meta === undefined ? undefined : JSON.stringify(meta);
}

/** Links are not followed: they lead out of the program's folder. */
async function isFile(path: string): Promise<boolean> {
  const found = await fallbackIfMissing(lstat(path), undefined);
  return found?.isFile() === true;
}
