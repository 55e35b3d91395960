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
    yield warning(`${at}/type`, "unknown-entry", `unknown entry type "${type}"`, "it is kept unchanged");
  }
  if (type === "leaf" && targetId !== null && typeof targetId !== "string") {
    yield warning(
      targetId === undefined ? at : `${at}/targetId`,
      "no-target",
      "the entry moves the leaf but has no target",
      "write the id of the entry where the conversation continues, or null to start over",
    );
  }
  if (type === "compaction" && typeof summary !== "string") {
    yield warning(
      summary === undefined ? at : `${at}/summary`,
      "no-summary",
      "the compaction has no summary, so the model loses everything before it",
    );
  }
}

function* checkHeader({ id, version }: JsonRecord, at: string): Generator<Drift> {
  if (!VERSIONS.includes(version)) {
    yield warning(
      `${at}/version`,
      "unknown-version",
      `unknown version ${JSON.stringify(version)}; it is read as version 4`,
    );
  }
  if (typeof id !== "string") {
    yield warning(
      id === undefined ? at : `${at}/id`,
      "no-session-id",
      "the header has no id; pi considers the file damaged and starts an empty one",
      "add an id; any text will do",
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
      "the entry has a parentId but no id, so no entry can follow it",
    );
  }
  if (parentId !== null && typeof parentId !== "string") {
    yield warning(
      parentId === undefined ? at : `${at}/parentId`,
      "no-parent",
      "the entry has an id but no parentId; for pi the conversation starts here",
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
