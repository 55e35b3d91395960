import type { Drift, JsonRecord } from "../../core/dialect.js";
import { type Contract, messageDrift } from "../../core/message/message-contract.js";
import { driftsOf } from "../../core/records/drift.js";
import { instantOf } from "../../core/time.js";
import { isMessageEntry, isShaped, NAME, NOTE_TYPES, VERSIONS } from "./wire.js";

const { warning } = driftsOf(NAME);

/** What pi itself writes otherwise: early versions did not add tokens up, and an answer may be still to come. */
const contract: Contract = {
  name: NAME,
  optionalUsage: ["totalTokens"],
  stopReasons: ["pending", "deferred"],
};

/** What can be read, but what pi itself would trip over or does not know. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkEntry(record, `/${index}`)]);
}

function* checkEntry(record: JsonRecord, at: string): Generator<Drift> {
  yield* record["type"] === "session" ? checkHeader(record, at) : checkIds(record, at);
  yield* checkTime(record, at);
  if (isMessageEntry(record)) yield* messageDrift(record.message, `${at}/message`, contract);
  const { type, summary, targetId } = record;
  if (typeof type === "string" && !isShaped(type) && !NOTE_TYPES.has(type)) {
    yield warning(
      `${at}/type`,
      "unknown-entry",
      `there is no entry "${type}" in the versions known`,
      "it is kept as it is",
    );
  }
  if (type === "leaf" && targetId !== null && typeof targetId !== "string") {
    yield warning(
      targetId === undefined ? at : `${at}/targetId`,
      "no-target",
      "the entry moves the leaf, but does not say where to",
      "write the id of the entry at which the conversation goes on, or null for a fresh start",
    );
  }
  if (type === "compaction" && typeof summary !== "string") {
    yield warning(
      summary === undefined ? at : `${at}/summary`,
      "no-summary",
      "the compaction has no summary, so all that came before it is lost to the model",
    );
  }
}

function* checkHeader({ id, version }: JsonRecord, at: string): Generator<Drift> {
  if (!VERSIONS.includes(version)) {
    yield warning(
      `${at}/version`,
      "unknown-version",
      `version ${JSON.stringify(version)} is not known; it is read like version 4`,
    );
  }
  if (typeof id !== "string") {
    yield warning(
      id === undefined ? at : `${at}/id`,
      "no-session-id",
      "the header has no id; pi takes the file for damaged and starts an empty one",
      "give the session an id, any text",
    );
  }
}

/** Entries of version 1 have neither; of later versions, both. */
function* checkIds({ id, parentId }: JsonRecord, at: string): Generator<Drift> {
  if (id === undefined && parentId === undefined) return;
  if (typeof id !== "string") {
    yield warning(
      id === undefined ? at : `${at}/id`,
      "no-id",
      "the entry says what it follows, but has no id that another could follow",
    );
  }
  if (parentId !== null && typeof parentId !== "string") {
    yield warning(
      parentId === undefined ? at : `${at}/parentId`,
      "no-parent",
      "the entry has an id, but does not say what it follows; for pi the conversation begins here",
      "write the id of the entry before it, or null for the first one",
    );
  }
}

function* checkTime({ timestamp }: JsonRecord, at: string): Generator<Drift> {
  if (typeof timestamp === "string" && instantOf(timestamp) !== undefined) return;
  yield warning(
    timestamp === undefined ? at : `${at}/timestamp`,
    "bad-time",
    `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`,
    "write it like 2025-11-20T23:33:50.805Z",
  );
}
