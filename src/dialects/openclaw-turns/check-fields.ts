import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Optional strings in `metadata`. */
const TEXTS = ["channel", "peerId", "messageId", "reasoning"];

/** Missing or invalid values of the fields that every turn may have. */
export function* checkFields(turn: JsonRecord, at: string): Generator<Drift> {
  const { timestamp, mediaUrls, metadata, _compacted: compacted } = turn;
  if (timestamp === undefined) {
    const hint = "add the time in seconds or milliseconds; readers assume 0";
    yield warning(at, "no-timestamp", "the turn has no timestamp", hint);
  }
  if (mediaUrls !== undefined && !isTexts(mediaUrls)) {
    const message = "mediaUrls is not an array of strings";
    yield warning(`${at}/mediaUrls`, "bad-field", message, 'write ["https://…"]');
  }
  if (compacted !== undefined && typeof compacted !== "boolean") {
    yield warning(`${at}/_compacted`, "bad-field", "_compacted is not a boolean", "write true or false");
  }
  if (metadata === undefined) return;
  if (!isObject(metadata)) {
    yield warning(`${at}/metadata`, "bad-metadata", "the metadata is not an object");
    return;
  }
  for (const key of TEXTS) {
    const value = metadata[key];
    if (value === undefined || typeof value === "string") continue;
    const hint = typeof value === "number" ? `write "${value}"` : "write a string";
    yield warning(`${at}/metadata/${key}`, "bad-field", `metadata.${key} is not a string`, hint);
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}
