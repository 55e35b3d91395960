import { isBoolean, isObject, isString, type JsonObject } from "../json/value.js";
import type { OutputSchema } from "./provider.js";

/**
 * The schema of a structured output for APIs that have no name and description beside it: they become its title and its
 * description, unless the schema has its own. Those that remain are in `unsaid`.
 */
export function labelledSchema({ schema, name, description }: OutputSchema): {
  schema: JsonObject;
  unsaid: ("name" | "description")[];
} {
  const unsaid: ("name" | "description")[] = [];
  const labelled = { ...schema };
  if (name !== undefined) {
    if (schema["title"] === undefined) labelled["title"] = name;
    else if (schema["title"] !== name) unsaid.push("name");
  }
  if (description !== undefined) {
    if (schema["description"] === undefined) labelled["description"] = description;
    else if (schema["description"] !== description) unsaid.push("description");
  }
  return { schema: labelled, unsaid };
}

/** A schema with its labels, as OpenAI's APIs have it; undefined if it is something else. */
export function readNamedSchema(format: unknown): OutputSchema | undefined {
  if (!isObject(format) || !isObject(format["schema"])) return undefined;
  const { schema, name, description, strict } = format;
  return {
    schema,
    ...(isString(name) ? { name } : {}),
    ...(isString(description) ? { description } : {}),
    ...(isBoolean(strict) ? { strict } : {}),
  };
}

/** The same for a request, which must name the schema. It is enforced if its own rules allow it. */
export function writeNamedSchema(output: OutputSchema): JsonObject {
  const { schema, name = nameOf(schema), description, strict = followsStrictRules(schema) } = output;
  return { name, ...(description === undefined ? {} : { description }), schema, strict };
}

function nameOf({ title }: JsonObject): string {
  const name = isString(title) ? title.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) : "";
  return name === "" ? "output" : name;
}

/** What OpenAI's strict mode refuses. */
const REFUSED = [
  ...["allOf", "oneOf", "not", "if", "then", "else", "patternProperties", "propertyNames"],
  ...["dependentRequired", "dependentSchemas", "unevaluatedProperties", "contains", "prefixItems"],
];

/**
 * Whether OpenAI accepts a schema in strict mode: every object lists all its properties as required and allows no others,
 * the root is an object, and some keywords do not occur.
 */
export function followsStrictRules(schema: JsonObject): boolean {
  return schema["type"] === "object" && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (REFUSED.some((keyword) => schema[keyword] !== undefined)) return false;
  const { type, properties, required, additionalProperties } = schema;
  const isObjectSchema = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (isObjectSchema || properties !== undefined) {
    const needed = new Set(Array.isArray(required) ? required : []);
    const keys = isObject(properties) ? Object.keys(properties) : [];
    if (additionalProperties !== false || !keys.every((key) => needed.has(key))) return false;
  }
  const inner = ["properties", "$defs", "definitions"].flatMap((key) =>
    isObject(schema[key]) ? Object.values(schema[key]) : [],
  );
  const members = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  const items = schema["items"] === undefined ? [] : [schema["items"]];
  return [...inner, ...members, ...items].every(isStrict);
}
