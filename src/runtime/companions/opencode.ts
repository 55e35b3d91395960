import { createReadStream, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { entriesOf } from "../../log/files/folder.js";
import type { Companions, OnMissing } from "./companions.js";
import { objectOn } from "./file-lines.js";

/**
 * opencode keeps all sessions in a database, and before 2026 it kept each in many files:
 *
 *     opencode.db                                the path of a session in it is opencode.db/<session>
 *     storage/session/<project>/<session>.json
 *     storage/message/<session>/<message>.json
 *     storage/part/<message>/<part>.json
 *
 * Joined, a session is the document that `opencode export` writes.
 */
export const opencodeCompanions: Companions = {
  filesOf,
  join: joinSession,
  async sessionsIn(path) {
    const database = await import("./opencode-database.js");
    return database.sessionsIn(path);
  },
};

const CHUNK_BYTES = 1024 * 1024;

async function filesOf(path: string): Promise<string[]> {
  if (isInDatabase(path)) return [dirname(path), `${dirname(path)}-wal`];
  if (!isInStorage(path)) return [];
  const { messages, partsOf } = foldersOf(path);
  // Only the last message grows. The folder's own time changes when a message is added.
  const last = (await namesIn(messages)).at(-1);
  if (last === undefined) return [];
  const parts = partsOf(last);
  return [messages, join(messages, last), ...(await namesIn(parts)).map((name) => join(parts, name))];
}

async function* joinSession(path: string, onMissing: OnMissing): AsyncGenerator<Uint8Array> {
  if (isInDatabase(path)) {
    const { documentOf } = await import("./opencode-database.js");
    for (const text of await documentOf(dirname(path), basename(path))) yield Buffer.from(text);
    return;
  }
  const session = isInStorage(path) ? objectOn(await readFile(path)) : undefined;
  // An export may be in a folder of that name too.
  if (session === undefined || session["info"] !== undefined) {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
    return;
  }
  yield* fromStorage(path, session, onMissing);
}

function isInDatabase(path: string): boolean {
  return statSync(dirname(path), { throwIfNoEntry: false })?.isFile() === true;
}

function isInStorage(path: string): boolean {
  return path.endsWith(".json") && basename(dirname(dirname(path))) === "session";
}

function foldersOf(path: string) {
  const storage = dirname(dirname(dirname(path)));
  const nameOf = (file: string) => basename(file, ".json");
  return {
    messages: join(storage, "message", nameOf(path)),
    partsOf: (message: string) => join(storage, "part", nameOf(message)),
  };
}

/** The JSON files in a folder, in the order of their ids, which rise with time. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => name)
    .sort();
}

async function* fromStorage(
  path: string,
  session: JsonObject,
  onMissing: OnMissing,
): AsyncGenerator<Uint8Array> {
  const { messages, partsOf } = foldersOf(path);
  const found = await objectsIn(messages, onMissing);
  found.sort((a, b) => createdAt(a.value) - createdAt(b.value));
  let comma = "";
  yield Buffer.from(`{"info":${JSON.stringify(session)},"messages":[`);
  for (const { name, value } of found) {
    const parts = (await objectsIn(partsOf(name), onMissing)).map((part) => part.value);
    yield Buffer.from(`${comma}${JSON.stringify({ info: value, parts })}`);
    comma = ",";
  }
  yield Buffer.from("]}");
}

function createdAt({ time }: JsonObject): number {
  return isObject(time) && isNumber(time["created"]) ? time["created"] : 0;
}

async function objectsIn(
  folder: string,
  onMissing: OnMissing,
): Promise<{ name: string; value: JsonObject }[]> {
  const found: { name: string; value: JsonObject }[] = [];
  for (const name of await namesIn(folder)) {
    const value = objectOn(await readFile(join(folder, name)));
    if (value !== undefined) found.push({ name, value });
    else
      onMissing({
        at: "",
        what: `the file ${name}`,
        why: "it is damaged",
        severity: "dropped",
        of: "message",
      });
  }
  return found;
}
