import { formatPointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { FORMATS, PLAIN } from "./clean-schema.js";

/** A keyword that `cleanSchema` leaves out, with its first position and its number of occurrences. */
export interface Stripped {
  keyword: string;
  /** Pointer into the schema. */
  at: string;
  count: number;
}

/** Keywords that `cleanSchema` converts, and keywords that do not constrain a value. */
const KEPT = new Set<string>([
  ...PLAIN,
  ...["type", "enum", "const", "properties", "required", "propertyOrdering", "items", "prefixItems"],
  ...["anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions", "$schema", "$id", "$comment"],
]);

const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const NAMED = ["properties", "$defs", "definitions"];

/**
 * The keywords of a schema that Google's older `parameters` field does not support, each once.
 *
 * @example
 * strippedKeywords({ type: "object", properties: { a: { type: "string", default: "x" } } });
 * // [{ keyword: "default", at: "/properties/a/default", count: 1 }]
 */
export function strippedKeywords(schema: JsonObject): Stripped[] {
  return keywordsWithout(schema, isKept);
}

/** The keywords that Google enforces in the JSON Schema of an answer; it ignores others. */
const ENFORCED = new Set<string>([
  ...["type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems"],
  ...["minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required"],
  ...["propertyOrdering", "$id", "$defs", "definitions", "$ref", "$anchor", "$schema", "$comment", "const"],
]);

/** The keywords in the JSON Schema of an answer that Google does not enforce, each once. */
export function ignoredKeywords(schema: JsonObject): Stripped[] {
  return keywordsWithout(schema, (keyword) => ENFORCED.has(keyword));
}

type IsKept = (keyword: string, schema: JsonObject) => boolean;

function keywordsWithout(schema: JsonObject, keeps: IsKept): Stripped[] {
  const found = new Map<string, Stripped>();
  walk(schema, [], found, keeps);
  return [...found.values()];
}

function walk(
  schema: unknown,
  path: readonly (string | number)[],
  found: Map<string, Stripped>,
  keeps: IsKept,
): void {
  if (!isObject(schema)) return;
  for (const keyword of Object.keys(schema)) {
    if (keeps(keyword, schema)) continue;
    const before = found.get(keyword);
    if (before === undefined) {
      found.set(keyword, { keyword, at: formatPointer([...path, keyword]), count: 1 });
    } else before.count++;
  }
  for (const key of LISTS) {
    const members = schema[key];
    if (!Array.isArray(members)) walk(members, [...path, key], found, keeps);
    else for (const [index, member] of members.entries()) walk(member, [...path, key, index], found, keeps);
  }
  for (const key of NAMED) {
    const members = schema[key];
    if (!isObject(members)) continue;
    for (const [name, member] of Object.entries(members)) walk(member, [...path, key, name], found, keeps);
  }
}

function isKept(keyword: string, schema: JsonObject): boolean {
  if (keyword === "format") {
    return Object.values(FORMATS).some((formats) => formats.some((format) => format === schema["format"]));
  }
  // A union beside `properties` only groups them, and is left out.
  const isUnion = keyword === "anyOf" || keyword === "oneOf";
  return KEPT.has(keyword) && !(isUnion && isObject(schema["properties"]));
}
