import { isObject, type JsonObject } from "../../core/json/value.js";

/** A key: the minor version that added it, or a function of its value; and the shape of the objects in it. */
interface Field {
  since: number | ((value: unknown) => number);
  of?: () => Shape;
}
type Shape = Readonly<Record<string, Field>>;

const parts = { since: (value: unknown) => (Array.isArray(value) ? 6 : 0), of: () => PART };

function keys(...names: string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, { since: 0 }]));
}

function since(minor: number, ...names: string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, { since: minor }]));
}

const SOURCE: Shape = { ...keys("media_type", "path"), ...since(8, "duration_sec") };

const PART: Shape = {
  type: { since: (value) => (value === "audio" ? 8 : 0) },
  text: { since: 0 },
  source: { since: 0, of: () => SOURCE },
};

const REFERENCE: Shape = { ...keys("session_id", "trajectory_path", "extra"), ...since(7, "trajectory_id") };

const RESULT: Shape = {
  source_call_id: { since: 0 },
  content: parts,
  subagent_trajectory_ref: { since: 0, of: () => REFERENCE },
  ...since(7, "extra"),
};

const CALL: Shape = { ...keys("tool_call_id", "function_name", "arguments"), ...since(7, "extra") };

const METRICS: Shape = keys(
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "cost_usd",
  "prompt_token_ids",
  "completion_token_ids",
  "logprobs",
  "extra",
);

export const STEP: Shape = {
  ...keys("step_id", "timestamp", "source", "model_name", "reasoning_effort", "reasoning_content"),
  ...keys("is_copied_context", "extra"),
  ...since(7, "llm_call_count"),
  message: parts,
  tool_calls: { since: 0, of: () => CALL },
  observation: { since: 0, of: () => ({ results: { since: 0, of: () => RESULT } }) },
  metrics: { since: 0, of: () => METRICS },
};

const AGENT: Shape = { ...keys("name", "version", "model_name", "extra"), ...since(5, "tool_definitions") };

const FINAL_METRICS: Shape = keys(
  "total_prompt_tokens",
  "total_completion_tokens",
  "total_cached_tokens",
  "total_cost_usd",
  "total_steps",
  "extra",
);

export const TRAJECTORY: Shape = {
  ...keys("schema_version", "session_id", "notes", "continued_trajectory_ref", "extra"),
  ...since(7, "trajectory_id"),
  agent: { since: 0, of: () => AGENT },
  steps: { since: 0, of: () => STEP },
  final_metrics: { since: 0, of: () => FINAL_METRICS },
  subagent_trajectories: { since: 7, of: () => TRAJECTORY },
};

interface Finding {
  at: string;
  /** The minor version that added the key; undefined if no version has it. */
  since: number | undefined;
}

/** Every key that only later versions have, and every unknown key. A null is the same as an absent field. */
export function* findingsIn(value: JsonObject, shape: Shape, at = ""): Generator<Finding> {
  for (const [key, member] of Object.entries(value)) {
    const place = `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field === undefined) yield { at: place, since: undefined };
    if (field === undefined || member === null) continue;
    const minor = typeof field.since === "number" ? field.since : field.since(member);
    if (minor > 0) yield { at: place, since: minor };
    const inner = field.of?.();
    if (inner === undefined) continue;
    if (isObject(member)) yield* findingsIn(member, inner, place);
    for (const [index, one] of Array.isArray(member) ? member.entries() : []) {
      if (isObject(one)) yield* findingsIn(one, inner, `${place}/${index}`);
    }
  }
}

/** The lowest minor version that has all known keys of a record. */
export function minorNeeded(record: JsonObject, shape: Shape): number {
  let needed = 0;
  for (const { since: minor = 0 } of findingsIn(record, shape)) needed = Math.max(needed, minor);
  return needed;
}

/** The same for a header. Only version 1.7 and later can leave out the session's id. */
export function headerNeeds(header: JsonObject): number {
  const { session_id: id } = header;
  return Math.max(minorNeeded(header, TRAJECTORY), id === undefined || id === null ? 7 : 0);
}
