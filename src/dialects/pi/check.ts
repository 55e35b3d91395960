import type { Drift, JsonRecord } from "../../core/dialect.js";
import { type Contract, messageDrift } from "../../core/message-contract.js";
import { instantOf } from "../../core/time.js";
import { isMessageEntry, isShaped, NOTE_TYPES, VERSIONS } from "./wire.js";

/** What pi itself writes otherwise: early versions did not add tokens up, and an answer may be still to come. */
const contract: Contract = {
  name: "pi",
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
    yield {
      at: `${at}/type`,
      code: "pi/unknown-entry",
      message: `there is no entry "${type}" in the versions known`,
      hint: "it is kept as it is",
      severity: "warning",
    };
  }
  if (type === "leaf" && targetId !== null && typeof targetId !== "string") {
    yield {
      at: targetId === undefined ? at : `${at}/targetId`,
      code: "pi/no-target",
      message: "the entry moves the leaf, but does not say where to",
      hint: "write the id of the entry at which the conversation goes on, or null for a fresh start",
    };
  }
  if (type === "compaction" && typeof summary !== "string") {
    yield {
      at: summary === undefined ? at : `${at}/summary`,
      code: "pi/no-summary",
      message: "the compaction has no summary, so all that came before it is lost to the model",
    };
  }
}

function* checkHeader({ id, version }: JsonRecord, at: string): Generator<Drift> {
  if (!VERSIONS.includes(version)) {
    yield {
      at: `${at}/version`,
      code: "pi/unknown-version",
      message: `version ${JSON.stringify(version)} is not known; it is read like version 4`,
      severity: "warning",
    };
  }
  if (typeof id !== "string") {
    yield {
      at: id === undefined ? at : `${at}/id`,
      code: "pi/no-session-id",
      message: "the header has no id; pi takes the file for damaged and starts an empty one",
      hint: "give the session an id, any text",
    };
  }
}

/** Entries of version 1 have neither; of later versions, both. */
function* checkIds({ id, parentId }: JsonRecord, at: string): Generator<Drift> {
  if (id === undefined && parentId === undefined) return;
  if (typeof id !== "string") {
    yield {
      at: id === undefined ? at : `${at}/id`,
      code: "pi/no-id",
      message: "the entry says what it follows, but has no id that another could follow",
    };
  }
  if (parentId !== null && typeof parentId !== "string") {
    yield {
      at: parentId === undefined ? at : `${at}/parentId`,
      code: "pi/no-parent",
      message: "the entry has an id, but does not say what it follows; for pi the conversation begins here",
      hint: "write the id of the entry before it, or null for the first one",
    };
  }
}

function* checkTime({ timestamp }: JsonRecord, at: string): Generator<Drift> {
  if (typeof timestamp === "string" && instantOf(timestamp) !== undefined) return;
  yield {
    at: timestamp === undefined ? at : `${at}/timestamp`,
    code: "pi/bad-time",
    message: `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`,
    hint: "write it like 2025-11-20T23:33:50.805Z",
    severity: "warning",
  };
}
