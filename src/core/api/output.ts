import { isBoolean, isObject, isString, type JsonObject } from "../json/value.js";
import type { Loss } from "../types.js";
import type { OutputSchema } from "./provider.js";

/**
 * The output schema for APIs that have no separate name and description: these become its title and description. Reports a
 * loss if the schema has different ones.
 */
export function labelSchema({ schema, ...output }: OutputSchema, report: (loss: Loss) => void): JsonObject {
  const labelled = { ...schema };
  for (const [label, keyword] of [["name", "title"] as const, ["description", "description"] as const]) {
    const value = output[label];
    if (value === undefined || value === schema[keyword]) continue;
    if (schema[keyword] === undefined) labelled[keyword] = value;
    else {
      const why = `this API has no field for it, and the schema has another ${keyword}`;
      report({ at: `/options/output/${label}`, what: `the output's ${label}`, why, severity: "dropped" });
    }
  }
  return labelled;
}

/** The schema with name and description in a format of OpenAI's APIs; undefined if it is another format. */
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

/** The same for a request, which must name the schema. `strict` defaults to whether the schema follows the strict rules. */
export function writeNamedSchema(output: OutputSchema): JsonObject {
  const { schema, name = nameOf(schema), description, strict = followsStrictRules(schema) } = output;
  return { name, ...(description === undefined ? {} : { description }), schema, strict };
}

function nameOf({ title }: JsonObject): string {
  const name = isString(title) ? title.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) : "";
  return name === "" ? "output" : name;
}

/** Keywords that OpenAI's strict mode refuses. */
const REFUSED = [
  ...["allOf", "oneOf", "not", "if", "then", "else", "patternProperties", "propertyNames"],
  ...["dependentRequired", "dependentSchemas", "unevaluatedProperties", "contains", "prefixItems"],
];

/**
 * Whether OpenAI accepts a schema in strict mode: every object lists all its properties as required and allows no others,
 * the root is an object, and refused keywords do not occur.
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
