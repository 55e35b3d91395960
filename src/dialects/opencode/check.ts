import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isBoolean, isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { createdIn } from "./frame.js";
import { infoOf, isHeader, NAME, PART_TYPES, roleOf, STATUSES } from "./wire.js";

const { error, warning } = driftsOf(NAME);

type Fits = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Fits>>;

/** The fields without which opencode refuses the whole import. */
const SESSION: Fields = {
  id: startsWith("ses"),
  slug: isString,
  title: isString,
  version: isString,
  time: hasNumbers("created", "updated"),
};
const USER: Fields = {
  id: startsWith("msg"),
  sessionID: startsWith("ses"),
  time: hasNumbers("created"),
  agent: isString,
  model: isObject,
};
const ASSISTANT: Fields = {
  id: startsWith("msg"),
  sessionID: startsWith("ses"),
  time: hasNumbers("created"),
  parentID: startsWith("msg"),
  modelID: isString,
  providerID: isString,
  mode: isString,
  agent: isString,
  path: isObject,
  cost: isNumber,
  tokens: hasNumbers("input", "output", "reasoning"),
};
const PART: Fields = {
  id: startsWith("prt"),
  sessionID: startsWith("ses"),
  messageID: startsWith("msg"),
};
const PARTS: ReadonlyMap<unknown, Fields> = new Map<unknown, Fields>([
  ["text", { text: isString }],
  ["reasoning", { text: isString, time: hasNumbers("start") }],
  ["tool", { callID: isString, tool: isString, state: isObject }],
  ["file", { mime: isString, url: isString }],
  ["step-finish", { reason: isString, cost: isNumber, tokens: isObject }],
  ["snapshot", { snapshot: isString }],
  ["patch", { hash: isString, files: Array.isArray }],
  ["agent", { name: isString }],
  ["subtask", { prompt: isString, description: isString, agent: isString }],
  ["compaction", { auto: isBoolean }],
]);
const STATES: ReadonlyMap<unknown, Fields> = new Map<unknown, Fields>([
  ["pending", { input: isObject, raw: isString }],
  ["running", { input: isObject, time: hasNumbers("start") }],
  [
    "completed",
    { input: isObject, output: isString, title: isString, metadata: isObject, time: hasNumbers("start", "end") },
  ],
  ["error", { input: isObject, error: isString, time: hasNumbers("start", "end") }],
]);

function startsWith(prefix: string): Fits {
  return (value) => isString(value) && value.startsWith(prefix);
}

function hasNumbers(...names: string[]): Fits {
  return (value) => isObject(value) && names.every((name) => isNumber(value[name]));
}

/** Readable records that opencode refuses to import, or sorts in another order. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [
    ...checkRecord(record, `/${index}`),
    ...checkOrder(unit[index - 1], record, `/${index}`),
  ]);
}

function* checkRecord(record: JsonRecord, at: string): Generator<Drift> {
  const info = infoOf(record);
  if (isHeader(record)) return yield* checkFields(info, SESSION, `${at}/info`);
  yield* checkFields(info, roleOf(record) === "user" ? USER : ASSISTANT, `${at}/info`);
  const parts: unknown[] = Array.isArray(record["parts"]) ? record["parts"] : [];
  for (const [index, part] of parts.entries()) {
    if (isObject(part)) yield* checkPart(part, `${at}/parts/${index}`);
  }
}

function* checkPart(part: JsonObject, at: string): Generator<Drift> {
  const { type, state } = part;
  if (!PART_TYPES.has(type)) {
    const hint = "opencode refuses the whole file; remove the part";
    return yield error(fieldPlace(part, "type", at), "unknown-part", `unknown part type ${JSON.stringify(type)}`, hint);
  }
  yield* checkFields(part, { ...PART, ...PARTS.get(type) }, at);
  if (type !== "tool" || !isObject(state)) return;
  const { status } = state;
  if (STATUSES.has(status)) return yield* checkFields(state, STATES.get(status) ?? {}, `${at}/state`);
  const message = `unknown status ${JSON.stringify(status)} of a call`;
  const hint = "use pending, running, completed or error";
  yield error(fieldPlace(state, "status", `${at}/state`), "bad-status", message, hint);
}

function* checkFields(object: JsonObject, fields: Fields, at: string): Generator<Drift> {
  for (const [name, fits] of Object.entries(fields)) {
    if (fits(object[name])) continue;
    const isMissing = object[name] === undefined;
    const message = isMissing ? `${name} is missing` : `${name} is not what opencode expects`;
    const hint = "opencode refuses the whole file; convert it, or correct the field";
    yield error(fieldPlace(object, name, at), isMissing ? "missing-field" : "bad-field", message, hint);
  }
}

function* checkOrder(last: JsonRecord | undefined, next: JsonRecord, at: string): Generator<Drift> {
  if (last === undefined || isHeader(last)) return;
  const [before, after] = [createdIn(infoOf(last)), createdIn(infoOf(next))];
  if (before === undefined || after === undefined || after >= before) return;
  const hint = "opencode sorts messages by time; write them in that order";
  yield warning(`${at}/info/time/created`, "not-in-order", "the message is older than the one before it", hint);
}
