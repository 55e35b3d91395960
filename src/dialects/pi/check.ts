import type { Drift, JsonRecord } from "../../core/dialect.js";
import { type Contract, messageDrift } from "../../core/message/message-contract.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { nameOf } from "../../core/records/unexpected.js";
import { instantOf } from "../../core/time.js";
import { isMessageEntry, isShaped, NAME, NOTE_TYPES, VERSIONS } from "./wire.js";

const { warning } = driftsOf(NAME);

/** What pi itself writes differently: early versions have no token totals, and an answer may be pending. */
const contract: Contract = {
  name: NAME,
  optionalUsage: ["totalTokens"],
  stopReasons: ["pending", "deferred"],
};

/** Readable entries that pi does not know or would misread. */
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
    const message = "the entry moves the leaf but has no target";
    const hint = "write the id of the entry where the conversation continues, or null to start over";
    yield warning(fieldPlace(record, "targetId", at), "no-target", message, hint);
  }
  if (type === "compaction" && typeof summary !== "string") {
    const message = "the compaction has no summary, so the model loses everything before it";
    yield warning(fieldPlace(record, "summary", at), "no-summary", message);
  }
}

function* checkHeader(header: JsonRecord, at: string): Generator<Drift> {
  const { id, version } = header;
  if (!VERSIONS.includes(version)) {
    const message = `unknown version ${nameOf(version)}; it is read as version 4`;
    yield warning(`${at}/version`, "unknown-version", message);
  }
  if (typeof id !== "string") {
    const message = "the header has no id; pi considers the file damaged and starts an empty one";
    yield warning(fieldPlace(header, "id", at), "no-session-id", message, "add an id; any text will do");
  }
}

/** Version 1 entries have neither id nor parentId; later ones have both. */
function* checkIds(entry: JsonRecord, at: string): Generator<Drift> {
  const { id, parentId } = entry;
  if (id === undefined && parentId === undefined) return;
  if (typeof id !== "string") {
    const message = "the entry has a parentId but no id, so no entry can follow it";
    yield warning(fieldPlace(entry, "id", at), "no-id", message);
  }
  if (parentId !== null && typeof parentId !== "string") {
    const message = "the entry has an id but no parentId; for pi the conversation starts here";
    const hint = "write the id of the entry before it, or null for the first one";
    yield warning(fieldPlace(entry, "parentId", at), "no-parent", message, hint);
  }
}

function* checkTime(entry: JsonRecord, at: string): Generator<Drift> {
  const { timestamp } = entry;
  if (typeof timestamp === "string" && instantOf(timestamp) !== undefined) return;
  const message = `the timestamp is ${timestamp === undefined ? "missing" : "not an ISO time"}`;
  const hint = "write it like 2025-11-20T23:33:50.805Z";
  yield warning(fieldPlace(entry, "timestamp", at), "bad-time", message, hint);
}
