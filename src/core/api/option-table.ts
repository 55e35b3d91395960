import { joinPointer, parsePointer, resolvePointer } from "../json/pointer.js";
import { isBoolean, isNumber, isObject, isString, type JsonObject, sameJson, setOwn } from "../json/value.js";
import { unexpected } from "../records/unexpected.js";
import type { Loss } from "../types.js";
import type { Call, CallOptions, Flags } from "./provider.js";

/** The options for which APIs have fields. */
export type OptionName = Exclude<keyof CallOptions, "cache" | "extra" | "form">;

type OptionValue<K extends OptionName> = NonNullable<CallOptions[K]>;

/** The input of an option's writer. */
export interface Writing {
  call: Call;
  flags: Flags;
  report(loss: Loss): void;
}

/** Values by their pointers into a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads and writes one option in one API's requests. */
export interface OptionField<V> {
  /** The fields that can contain it, as pointers. The first one with a value counts. */
  readonly at: readonly [string, ...string[]];
  /** Further request fields that are read together with it, as pointers. */
  beside?(body: JsonObject): readonly string[];
  /** The type of the field. A value of another type makes the request invalid. */
  readonly type: keyof typeof types;
  /** The option's value; undefined if our model cannot represent it. */
  read(value: unknown, body: JsonObject): V | undefined;
  /** The fields to write. A writer that omits or changes the option reports a loss. */
  write(value: V, writing: Writing): Fields;
}

/** An option that an API does not have. */
interface MissingOption {
  readonly missing: string;
  /** The API's fixed behaviour: a request for this value loses nothing. */
  readonly usual?: unknown;
}

/** An API whose models may always call several tools in one answer. */
export const ALWAYS_PARALLEL: MissingOption = {
  missing: "this API has no such setting; the model may call several tools at once",
  usual: true,
};

/** For each option, one API's field, or the reason why it has none. */
export type OptionTable = { readonly [K in OptionName]: OptionField<OptionValue<K>> | MissingOption };

const types = {
  "a number": isNumber,
  "a string": isString,
  "true or false": isBoolean,
  "a string or a list of strings": (value: unknown) => isString(value) || isStrings(value),
  "a list of strings": isStrings,
  "an object": isObject,
  "a string or an object": (value: unknown) => isString(value) || isObject(value),
  "a number or a string": (value: unknown) => isNumber(value) || isString(value),
  "true, false or a level": (value: unknown) => isString(value) || isBoolean(value),
};

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

/** A field whose value is the option itself. */
export function numberField(...at: OptionField<number>["at"]): OptionField<number> {
  return plainField("a number", at, isNumber);
}

export function textField(...at: OptionField<string>["at"]): OptionField<string> {
  return plainField("a string", at, isString);
}

export function flagField(...at: OptionField<boolean>["at"]): OptionField<boolean> {
  return plainField("true or false", at, isBoolean);
}

export function listField(...at: OptionField<readonly string[]>["at"]): OptionField<readonly string[]> {
  return plainField("a list of strings", at, isStrings);
}

function plainField<V>(
  type: OptionField<V>["type"],
  at: OptionField<V>["at"],
  is: (value: unknown) => value is V,
): OptionField<V> {
  return {
    at,
    type,
    read: (value) => (is(value) ? value : undefined),
    write: (value) => ({ [at[0]]: value }),
  };
}

interface Row {
  name: OptionName;
  field: OptionField<unknown> | MissingOption;
}

const names = [
  ...(["maxTokens", "temperature", "topP", "topK", "seed", "stop", "presencePenalty"] as const),
  ...(["frequencyPenalty", "thinking", "toolChoice", "parallelToolCalls", "output"] as const),
  ...(["serviceTier", "user"] as const),
];

function rowsOf(table: OptionTable): Row[] {
  return names.map((name) => ({ name, field: table[name] }));
}

/** The field in which a request states an option, and its value; null counts as absent. */
function findStated(
  { at }: Pick<OptionField<unknown>, "at">,
  body: JsonObject,
): { at: string; value: unknown } | undefined {
  for (const pointer of at) {
    const value = resolvePointer(body, pointer);
    if (value !== undefined && value !== null) return { at: pointer, value };
  }
  return undefined;
}

/** The options in a request, and the request without their fields. */
export function readOptions(
  table: OptionTable,
  body: JsonObject,
): { options: Pick<CallOptions, OptionName>; rest: JsonObject } {
  const options: JsonObject = {};
  let rest = body;
  for (const { name, field } of rowsOf(table)) {
    if ("missing" in field) continue;
    const found = findStated(field, body);
    const value = found === undefined ? undefined : field.read(found.value, body);
    if (found === undefined || value === undefined) continue;
    options[name] = value;
    for (const pointer of [found.at, ...(field.beside?.(body) ?? [])])
      rest = removeField(rest, parsePointer(pointer));
  }
  return { options, rest };
}

/** A copy without one field, and without objects that become empty. */
function removeField(body: JsonObject, [key = "", ...inner]: readonly string[]): JsonObject {
  const { [key]: value, ...others } = body;
  if (inner.length === 0) return others;
  if (!isObject(value)) return body;
  const left = removeField(value, inner);
  return Object.keys(left).length === 0 && Object.keys(value).length > 0
    ? others
    : { ...others, [key]: left };
}

/** Throws `model/invalid` for the first option whose field has the wrong type. */
export function checkOptionTypes(table: OptionTable, body: JsonObject): void {
  for (const { field } of rowsOf(table)) {
    if ("missing" in field) continue;
    const found = findStated(field, body);
    if (found !== undefined && !types[field.type](found.value)) {
      throw unexpected(found.at, field.type, found.value);
    }
  }
}

/** The pointer to the request field that states an option. */
export function optionPlace(table: OptionTable, name: string, body: JsonObject): string | undefined {
  const row = rowsOf(table).find((one) => one.name === name);
  return row === undefined || "missing" in row.field ? undefined : findStated(row.field, body)?.at;
}

/** The option of a request field, by the field's pointer or that of a field within it. */
export function optionAt(table: OptionTable, pointer: string): OptionName | undefined {
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`);
  const row = rowsOf(table).find(
    ({ field }) =>
      !("missing" in field) && field.at.some((at) => isWithin(pointer, at) || isWithin(at, pointer)),
  );
  return row?.name;
}

/** Pointers to the objects that contain options, such as `/generationConfig`. */
export function optionContainers(table: OptionTable): Set<string> {
  const containers = new Set<string>();
  for (const { field } of rowsOf(table)) {
    if ("missing" in field) continue;
    for (const pointer of field.at) {
      const tokens = parsePointer(pointer);
      for (let length = 1; length < tokens.length; length++) {
        containers.add(joinPointer("", ...tokens.slice(0, length)));
      }
    }
  }
  return containers;
}

/** The request fields for the call's options. Options that the API lacks are reported. */
export function writeOptions(table: OptionTable, writing: Writing): JsonObject {
  const body: JsonObject = {};
  const { options } = writing.call;
  for (const { name, field } of rowsOf(table)) {
    const value = options[name];
    if (value === undefined) continue;
    if ("missing" in field) {
      if (!sameJson(value, field.usual)) writing.report(optionLoss(name, field.missing));
      continue;
    }
    for (const [pointer, part] of Object.entries(field.write(value, writing))) {
      setAt(body, parsePointer(pointer), part);
    }
  }
  return body;
}

function setAt(target: JsonObject, [key = "", ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) {
    setOwn(target, key, value);
    return;
  }
  const next = target[key];
  const child = isObject(next) ? next : {};
  setOwn(target, key, child);
  setAt(child, inner, value);
}

/** Adds fields to a request. They replace existing ones; objects that contain options are merged. */
export function mergeFields(
  body: JsonObject,
  fields: JsonObject,
  containers: ReadonlySet<string>,
  at = "",
): JsonObject {
  const merged = { ...body };
  for (const [key, value] of Object.entries(fields)) {
    const place = joinPointer(at, key);
    const ours = merged[key];
    const merges = containers.has(place) && isObject(ours) && isObject(value);
    setOwn(merged, key, merges ? mergeFields(ours, value, containers, place) : value);
  }
  return merged;
}

/** Reports losses, except of options that the finished request states exactly because they were read from one. */
export function reportUnstated(
  table: OptionTable,
  { call, report }: Writing,
  body: JsonObject,
  losses: readonly Loss[],
): void {
  if (losses.length === 0) return;
  const { options } = readOptions(table, body);
  for (const loss of losses) {
    const [, name] = /^\/options\/(\w+)/.exec(loss.at) ?? [];
    const row = rowsOf(table).find((one) => one.name === name);
    const isExact = row !== undefined && sameJson(options[row.name], call.options[row.name]);
    if (!isExact) report(loss);
  }
}

const titles: Readonly<Record<OptionName, string>> = {
  maxTokens: "the limit on the answer's length",
  temperature: "the temperature",
  topP: "top-p sampling",
  topK: "top-k sampling",
  seed: "the seed",
  stop: "the stop sequences",
  presencePenalty: "the presence penalty",
  frequencyPenalty: "the frequency penalty",
  thinking: "the thinking level",
  toolChoice: "the tool choice",
  parallelToolCalls: "the setting for parallel tool calls",
  output: "the structured output",
  serviceTier: "the service tier",
  user: "the end user's id",
};

/** An option that is not sent, or is sent in another form. */
export function optionLoss(
  name: OptionName,
  why: string,
  severity: Loss["severity"] = "dropped",
  what = titles[name],
): Loss {
  return { at: `/options/${name}`, what, why, severity };
}
