import { basename, dirname, join } from "node:path";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { FilePattern } from "../sources/file-pattern.js";
import type { Companions, OnMissing } from "./companions.js";
import { fileLines, joinLines, objectOn } from "./file-lines.js";

/**
 * A fork of a Codex session can continue another file:
 *
 *     {"type":"session_meta","payload":{"id":"…","history_base":{"thread_id":"…","end_byte_offset":4711}}}
 *
 * Joined, the lines of that file up to the offset follow the first line, which no longer names a base. The base never changes
 * after the fork.
 */
export const codexCompanions: Companions = { filesOf: async () => [], join: joinBase };

const ROLLOUTS = new FilePattern("**/rollout-*-{uuid}*.jsonl");
const FOLDERS = ["sessions", "archived_sessions"];
/** A longer chain of forks is damaged. */
const MAX_FORKS = 100;

async function* joinBase(
  path: string,
  onMissing: OnMissing,
  end?: number,
  depth = 0,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const lines of fileLines(path, end)) {
    const first = isFirst ? lines.shift() : undefined;
    if (first !== undefined) {
      isFirst = false;
      yield* joinHeader(first, path, onMissing, depth);
    }
    yield joinLines(lines);
  }
}

/** The first line of a file, and the lines of its base. */
async function* joinHeader(
  line: Buffer,
  path: string,
  onMissing: OnMissing,
  depth: number,
): AsyncGenerator<Uint8Array> {
  const meta = metaOn(line);
  const base = meta?.payload["history_base"];
  // The session has one header: its own.
  if (meta === undefined || (depth === 0 && !isObject(base))) yield joinLines([line]);
  else if (depth === 0) yield joinLines([withoutBase(meta.record, meta.payload)]);
  if (!isObject(base)) return;
  const { thread_id: thread, end_byte_offset: offset } = base;
  const file = isString(thread) && depth < MAX_FORKS ? await rolloutOf(path, thread) : undefined;
  if (file !== undefined && typeof offset === "number") yield* joinBase(file, onMissing, offset, depth + 1);
  else {
    const what = `the messages before the fork of ${String(thread)}`;
    onMissing({ at: "/0", what, why: "its file is missing", severity: "dropped", of: "message" });
  }
}

function metaOn(line: Buffer): { record: JsonObject; payload: JsonObject } | undefined {
  const record = objectOn(line);
  const payload = record?.["payload"];
  return record?.["type"] === "session_meta" && isObject(payload) ? { record, payload } : undefined;
}

function withoutBase(record: JsonObject, payload: JsonObject): Buffer {
  const { history_base: _, ...rest } = payload;
  return Buffer.from(JSON.stringify({ ...record, payload: rest }));
}

/** The file of a thread in the same Codex home. */
async function rolloutOf(path: string, thread: string): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!FOLDERS.includes(basename(folder))) continue;
    for (const name of FOLDERS) {
      const root = join(dirname(folder), name);
      for await (const file of ROLLOUTS.filesIn(root, () => undefined)) {
        if (file.id === thread && file.path !== path) return file.path;
      }
    }
  }
  return undefined;
}
