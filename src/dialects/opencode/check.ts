import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isBoolean, isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf, type FieldTypes, fieldPlace } from "../../core/records/drift.js";
import { infoOf, isHeader, NAME, roleOf } from "./wire.js";

const { error, checkFields } = driftsOf(NAME);

const REFUSED = "opencode refuses the whole file; correct the field";

type Test = FieldTypes[string];

/** The fields without which opencode refuses the whole import. */
const SESSION: FieldTypes = {
  id: startsWith("ses"),
  slug: isString,
  title: isString,
  version: isString,
  time: has(isNumber, "created", "updated"),
};
const MESSAGE: FieldTypes = {
  id: startsWith("msg"),
  sessionID: startsWith("ses"),
  time: has(isNumber, "created"),
  agent: isString,
};
const USER: FieldTypes = { ...MESSAGE, model: has(isString, "providerID", "modelID") };
const ASSISTANT: FieldTypes = {
  ...MESSAGE,
  parentID: startsWith("msg"),
  modelID: isString,
  providerID: isString,
  mode: isString,
  path: has(isString, "cwd", "root"),
  cost: isNumber,
  tokens: isTokens,
};
const PART: FieldTypes = {
  id: startsWith("prt"),
  sessionID: startsWith("ses"),
  messageID: startsWith("msg"),
};
const PARTS: ReadonlyMap<unknown, FieldTypes> = new Map<unknown, FieldTypes>([
  ["text", { text: isString }],
  ["reasoning", { text: isString, time: has(isNumber, "start") }],
  ["tool", { callID: isString, tool: isString, state: isObject }],
  ["file", { mime: isString, url: isString }],
  ["step-start", {}],
  ["step-finish", { reason: isString, cost: isNumber, tokens: isTokens }],
  ["snapshot", { snapshot: isString }],
  ["patch", { hash: isString, files: Array.isArray }],
  ["retry", { attempt: isNumber, error: isObject, time: has(isNumber, "created") }],
  ["agent", { name: isString }],
  ["subtask", { prompt: isString, description: isString, agent: isString }],
  ["compaction", { auto: isBoolean }],
]);
const ENDED: FieldTypes = { input: isObject, time: has(isNumber, "start", "end") };
const STATES: ReadonlyMap<unknown, FieldTypes> = new Map<unknown, FieldTypes>([
  ["pending", { input: isObject, raw: isString }],
  ["running", { input: isObject, time: has(isNumber, "start") }],
  ["completed", { ...ENDED, output: isString, title: isString, metadata: isObject }],
  ["error", { ...ENDED, error: isString }],
]);

function startsWith(prefix: string): Test {
  return (value) => isString(value) && value.startsWith(prefix);
}

/** Whether it is an object in which all these fields pass the test. */
function has(test: Test, ...names: string[]): Test {
  return (value) => isObject(value) && names.every((name) => test(value[name]));
}

function isTokens(value: unknown): boolean {
  const isCache = has(isNumber, "read", "write");
  return isObject(value) && has(isNumber, "input", "output", "reasoning")(value) && isCache(value["cache"]);
}

/** Readable records that opencode refuses to import. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkRecord(record, `/${index}`)]);
}

function* checkRecord(record: JsonRecord, at: string): Generator<Drift> {
  const info = infoOf(record);
  if (isHeader(record)) return yield* checkFields(info, SESSION, `${at}/info`, REFUSED);
  yield* checkFields(info, roleOf(record) === "user" ? USER : ASSISTANT, `${at}/info`, REFUSED);
  const parts: unknown[] = Array.isArray(record["parts"]) ? record["parts"] : [];
  for (const [index, part] of parts.entries()) {
    if (isObject(part)) yield* checkPart(part, `${at}/parts/${index}`);
  }
}

function* checkPart(part: JsonObject, at: string): Generator<Drift> {
  const { type, state } = part;
  const fields = PARTS.get(type);
  if (fields === undefined) {
    const message = `unknown part type ${JSON.stringify(type)}`;
    const hint = "opencode refuses the whole file; remove the part";
    return yield error(fieldPlace(part, "type", at), "unknown-part", message, hint);
  }
  yield* checkFields(part, { ...PART, ...fields }, at, REFUSED);
  if (type !== "tool" || !isObject(state)) return;
  const { status } = state;
  const required = STATES.get(status);
  if (required !== undefined) return yield* checkFields(state, required, `${at}/state`, REFUSED);
  const message = `unknown status ${JSON.stringify(status)} of a call`;
  const hint = "use pending, running, completed or error";
  yield error(fieldPlace(state, "status", `${at}/state`), "bad-status", message, hint);
}
