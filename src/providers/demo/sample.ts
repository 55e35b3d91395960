import { resolvePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

/** The maximum depth of a recursive schema. */
const DEEPEST = 16;

interface Sampling {
  /** The schema in which references are resolved. */
  root: JsonObject;
  /** The text for strings without another constraint. */
  text: string;
  depth: number;
}

/**
 * A value that fits a JSON Schema: the text for strings, the smallest value for other types, only required properties.
 * Deterministic.
 *
 * @example
 * sampleOf({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }, "Oslo"); // { city: "Oslo" }
 */
export function sampleOf(schema: JsonObject, text: string): unknown {
  return sampleValue(schema, { root: schema, text, depth: 0 });
}

function sampleValue(schema: unknown, sampling: Sampling): unknown {
  if (!isObject(schema)) return sampling.text;
  const { depth, root } = sampling;
  if (depth > DEEPEST) return null;
  const deeper = { ...sampling, depth: depth + 1 };
  const { $ref: reference, const: only, enum: several, allOf } = schema;
  if (typeof reference === "string") {
    const target = reference.startsWith("#") ? resolvePointer(root, reference.slice(1)) : undefined;
    return sampleValue(target, deeper);
  }
  if (only !== undefined) return only;
  if (Array.isArray(several)) return several[0];
  const members = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  // The last member of a recursive union is usually null, which ends the recursion.
  if (members !== undefined) return sampleValue(depth > 4 ? members.at(-1) : members[0], deeper);
  if (Array.isArray(allOf)) return sampleValue(mergeAllOf(schema, allOf.filter(isObject)), deeper);
  return typedValue(schema, deeper);
}

function mergeAllOf({ allOf: _, ...schema }: JsonObject, members: readonly JsonObject[]): JsonObject {
  const all = [...members, schema];
  const properties = all.map((one) => one["properties"]).filter(isObject);
  const required = all.flatMap((one) => (Array.isArray(one["required"]) ? one["required"] : []));
  return Object.assign({}, ...all, { properties: Object.assign({}, ...properties), required });
}

function typedValue(schema: JsonObject, sampling: Sampling): unknown {
  const { type, properties } = schema;
  const name = Array.isArray(type) ? type[0] : (type ?? (isObject(properties) ? "object" : "string"));
  switch (name) {
    case "number":
    case "integer":
      return smallestNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const { minItems } = schema;
      const length = typeof minItems === "number" ? minItems : 0;
      return Array.from({ length }, () => sampleValue(schema["items"], sampling));
    }
    case "object":
      return objectOf(schema, sampling);
    default:
      return textFor(schema, sampling.text);
  }
}

function objectOf({ properties, required }: JsonObject, sampling: Sampling): JsonObject {
  const known = isObject(properties) ? properties : {};
  const keys = Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
  return Object.fromEntries(keys.map((key) => [key, sampleValue(known[key], sampling)]));
}

function smallestNumber({ type, minimum, exclusiveMinimum, maximum, multipleOf }: JsonObject): number {
  const step = typeof multipleOf === "number" ? multipleOf : 1;
  if (typeof minimum === "number") return Math.ceil(minimum / step) * step;
  if (typeof exclusiveMinimum === "number") {
    const next = Math.floor(exclusiveMinimum / step) * step + step;
    return type === "integer" ? Math.ceil(next) : next;
  }
  return typeof maximum === "number" && maximum < step ? Math.floor(maximum / step) * step : step;
}

const FORMATS = new Map<unknown, string>([
  ["date-time", "2026-01-01T00:00:00Z"],
  ["date", "2026-01-01"],
  ["time", "00:00:00Z"],
  ["email", "demo@example.com"],
  ["uri", "https://example.com"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);

function textFor({ format, minLength, maxLength }: JsonObject, text: string): string {
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const padded = typeof minLength === "number" ? text.padEnd(minLength, "x") : text;
  return typeof maxLength === "number" ? padded.slice(0, maxLength) : padded;
}
