import { isObject, type JsonObject, own } from "../../core/json/value.js";

export const NAME = "atif";

/**
 * A trajectory of the Agent Trajectory Interchange Format, versions 1.4 to 1.8:
 *
 *     { schema_version: "ATIF-v1.N", session_id, agent: { name, version, … }, steps: [ { step_id, source, message, … } ], … }
 */
export const VERSION_PREFIX = "ATIF-v1.";
export const [FIRST_MINOR, LAST_MINOR] = [4, 8];

/** What we write for a required field that the conversation does not have. */
export const UNKNOWN = "unknown";

export const SOURCES = ["system", "user", "agent"] as const;
export type Source = (typeof SOURCES)[number];

/** Fields that only agent steps may have. */
export const AGENT_ONLY = [
  "model_name",
  "reasoning_effort",
  "reasoning_content",
  "tool_calls",
  "metrics",
] as const;

/** The keys before `steps`; all others come after it. */
export const LEADING_KEYS = ["schema_version", "session_id", "trajectory_id", "agent"];

/** The key in a step's `extra` for the times of its results, for which the format has no field. */
export const RESULT_TIMES = "result_timestamps";

/** The type of an observation that answers no tool call. The model is shown its content. */
export const OBSERVATION = "atif/observation";

/** The media types of images, by the end of their address. Validators refuse others. */
const IMAGE_TYPES: Record<string, string> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
};

/** Whether a record is the header (the document without `steps`), not a step. */
export function isHeader(record: JsonObject): boolean {
  return Object.hasOwn(record, "schema_version");
}

/** The N of `ATIF-v1.N`, if it is a version that we read. */
export function minorOf(version: unknown): number | undefined {
  if (typeof version !== "string" || !version.startsWith(VERSION_PREFIX)) return undefined;
  const minor = version.slice(VERSION_PREFIX.length);
  return /^\d$/.test(minor) && Number(minor) >= FIRST_MINOR && Number(minor) <= LAST_MINOR
    ? Number(minor)
    : undefined;
}

/** The media type of an image, if the end of its address states it. */
export function imageTypeOf(url: string): string | undefined {
  const [, ending = ""] = /\.([a-z]+)(?:[?#]|$)/i.exec(url) ?? [];
  return own(IMAGE_TYPES, ending.toLowerCase());
}

export function isImageType(mediaType: string): boolean {
  return Object.values(IMAGE_TYPES).includes(mediaType);
}

/** The model of all steps that do not name another. */
export function agentModel(header: JsonObject | undefined): string | undefined {
  const agent = header?.["agent"];
  const model = isObject(agent) ? agent["model_name"] : undefined;
  return typeof model === "string" ? model : undefined;
}

/*
 * A file can use keys that its version does not have. Such a record is marked, so that writing it back does not raise the
 * version. JSON omits symbols.
 */
const AHEAD = Symbol("ahead");

export function markAhead(record: JsonObject, declared = 0): JsonObject {
  return Object.assign(record, { [AHEAD]: declared });
}

/** The minor version that the file of a marked record declares. */
export function declaredFor(record: JsonObject & { [AHEAD]?: number }): number | undefined {
  return record[AHEAD];
}

export function isAhead(record: JsonObject): boolean {
  return declaredFor(record) !== undefined;
}

/* A record without `step_id` has its place as number. A step that has no number in the file is marked. */
const UNNUMBERED = Symbol("unnumbered");

export function markUnnumbered(record: JsonObject): JsonObject {
  return Object.assign(record, { [UNNUMBERED]: true });
}

export function isUnnumbered(record: JsonObject & { [UNNUMBERED]?: boolean }): boolean {
  return record[UNNUMBERED] === true;
}

/* A step with a result of the step before it is marked: we would write one step. */
const APART = Symbol("apart");

export function markApart(record: JsonObject): JsonObject {
  return Object.assign(record, { [APART]: true });
}

export function isApart(record: JsonObject & { [APART]?: boolean }): boolean {
  return record[APART] === true;
}

/** The record of a step whose number is its place. */
export function numbered({
  step_id: _,
  [UNNUMBERED]: __,
  ...record
}: JsonObject & { [UNNUMBERED]?: boolean }): JsonObject {
  return record;
}
