import { isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "opencode";

/** The version that new sessions state. */
export const VERSION = "1.18.34";

/**
 * The document of `opencode export` and `opencode import`. A call and its result are one part, and every id starts with
 * its kind.
 *
 *     { info: { id: "ses…", title, … },
 *       messages: [ { info: { id: "msg…", role, … }, parts: [ { id: "prt…", type, … } ] } ] }
 *
 * opencode sorts messages by time and parts by id, whatever their order in the document.
 */

/** The ids of a provider and its model where opencode requires them and they are unknown. */
export const UNKNOWN = "unknown";

/** Parts in which opencode keeps its own accounts. They are not part of the conversation. */
export const NOISE: ReadonlySet<unknown> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "retry",
]);

/** The session or message that a record is about. */
export function infoOf({ info }: JsonObject): JsonObject {
  return isObject(info) ? info : {};
}

export function roleOf(record: JsonObject): unknown {
  return infoOf(record)["role"];
}

/** Whether a record is the document without its messages. */
export function isHeader(record: JsonObject): boolean {
  return roleOf(record) === undefined;
}

/** A turn is a prompt with the answers to it. */
export function joins(last: JsonObject, next: JsonObject): boolean {
  return !isHeader(last) && roleOf(next) === "assistant";
}

export function textOr<T>(value: unknown, otherwise: T): string | T {
  return isString(value) ? value : otherwise;
}
