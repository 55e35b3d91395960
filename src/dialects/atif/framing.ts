import { ESCROW, type Framing, type JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isEmpty, isObject, type JsonObject } from "../../core/json/value.js";
import { hasEscrow } from "../../core/records/escrow-field.js";
import { nameOf } from "../../core/records/unexpected.js";
import { encodeHeader } from "./header.js";
import { headerNeeds, minorNeeded, STEP } from "./shapes.js";
import {
  FIRST_MINOR,
  isAhead,
  isHeader,
  isUnnumbered,
  LAST_MINOR,
  LEADING_KEYS,
  markAhead,
  markApart,
  markUnnumbered,
  minorOf,
  numbered,
  VERSION_PREFIX,
} from "./wire.js";

/**
 * Record 0 is the document without its steps; the other records are the steps. A record leaves out what `join` can derive
 * from the others: the number of its step, and the version if it is the lowest that fits.
 */
export const framing: Framing = {
  kind: "document",
  split,
  join,
  pointer: (index) => (index === 0 ? "" : `/steps/${index - 1}`),
};

function split(document: unknown): unknown[] {
  if (!isObject(document)) throw invalid("", "a trajectory is a JSON object");
  const minor = requireVersion(document);
  const { steps, ...rest } = document;
  if (!Array.isArray(steps)) throw invalid(steps === undefined ? "" : "/steps", "expected an array of steps");
  const header = fromExtra(rest);
  const isHeaderAhead = headerNeeds(header) > minor;
  let lowest = Math.max(FIRST_MINOR, isHeaderAhead ? 0 : headerNeeds(header));
  const records = steps.map((step: unknown, index) => {
    if (!isObject(step)) return step;
    if (isHeader(step)) throw invalid(`/steps/${index}`, "expected a step, found a trajectory");
    const record = fromExtra(recordOf(step, index));
    if (answersStep(record, steps[index - 1])) markApart(record);
    const needed = minorNeeded(record, STEP);
    if (needed > minor) return markAhead({ ...record }, minor);
    lowest = Math.max(lowest, needed);
    return record;
  });
  const first = minor === lowest ? { ...header, schema_version: versionOf(FIRST_MINOR) } : header;
  return [isHeaderAhead ? markAhead({ ...first }, minor) : first, ...records];
}

/** Whether a step names a call of the step before it. */
function answersStep({ extra }: JsonObject, before: unknown): boolean {
  const id = isObject(extra) ? extra["tool_call_id"] : undefined;
  const calls = isObject(before) ? before["tool_calls"] : undefined;
  if (id === undefined || !Array.isArray(calls)) return false;
  return calls.some((call: unknown) => isObject(call) && call["tool_call_id"] === id);
}

function recordOf(step: JsonObject, index: number): JsonObject {
  if (!Object.hasOwn(step, "step_id")) return markUnnumbered({ ...step });
  return step["step_id"] === index + 1 ? numbered(step) : step;
}

/** Checked first: a file of another version may differ in everything else. */
function requireVersion({ schema_version: version }: JsonObject): number {
  const minor = minorOf(version);
  if (minor !== undefined) return minor;
  const isMissing = version === undefined;
  const found = isMissing ? "the file has no schema_version" : `unknown version ${nameOf(version)}`;
  const range = `${versionOf(FIRST_MINOR)} to ${versionOf(LAST_MINOR)}`;
  throw new DragomanError("atif/version", `${found}; versions ${range} are supported`, {
    at: isMissing ? "" : "/schema_version",
    hint: isMissing
      ? `write the version, such as "${versionOf(FIRST_MINOR)}", if it is an ATIF trajectory`
      : "look for a dragoman release that reads it; changing the number would not change the format",
  });
}

function join(records: readonly JsonRecord[]): JsonRecord {
  const [first] = records;
  const hasHeader = first !== undefined && isHeader(first);
  const header = hasHeader ? first : encodeHeader();
  const steps = hasHeader ? records.slice(1) : records;
  const declared = minorOf(header["schema_version"]) ?? FIRST_MINOR;
  let minor = Math.max(declared, isAhead(header) ? 0 : headerNeeds(header));
  for (const step of steps) if (!isAhead(step)) minor = Math.max(minor, minorNeeded(step, STEP));
  const { steps: _, ...others } = intoExtra({ ...header, schema_version: versionOf(minor) });
  const isLeading = ([key]: [string, unknown]) => LEADING_KEYS.includes(key);
  const entries = Object.entries(others);
  return {
    ...Object.fromEntries(entries.filter(isLeading)),
    steps: steps.map((step, index) => ({
      ...(isUnnumbered(step) ? {} : { step_id: index + 1 }),
      ...intoExtra(step),
    })),
    ...Object.fromEntries(entries.filter((entry) => !isLeading(entry))),
  };
}

function versionOf(minor: number): string {
  return `${VERSION_PREFIX}${minor}`;
}

/** Moves the escrow to where `convert` expects it. */
function fromExtra(record: JsonObject): JsonObject {
  const { extra, ...others } = record;
  if (!hasEscrow(extra)) return record;
  const { [ESCROW]: escrow, ...rest } = extra;
  return { ...others, ...(isEmpty(rest) ? {} : { extra: rest }), [ESCROW]: escrow };
}

/** Moves the escrow to where validators accept it, unless `extra` has a value that could not be restored. */
function intoExtra(record: JsonObject): JsonObject {
  if (!hasEscrow(record)) return record;
  const { [ESCROW]: escrow, ...others } = record;
  const { extra } = others;
  if (extra === undefined) return { ...others, extra: { [ESCROW]: escrow } };
  const isRestorable = isObject(extra) && !isEmpty(extra) && !Object.hasOwn(extra, ESCROW);
  return isRestorable ? { ...others, extra: { ...extra, [ESCROW]: escrow } } : record;
}

function invalid(at: string, message: string): DragomanError {
  return new DragomanError("model/invalid", message, { at });
}
