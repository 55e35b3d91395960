import type { Output } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { resolvePointer } from "../../core/json/pointer.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { sampleNumber } from "./sample-number.js";
import { sampleText } from "./sample-text.js";

/** The maximum depth of a recursive schema. */
const DEEPEST = 16;
/** From this depth on, a union is the member that ends soonest, so that a recursive value stays small. */
const DEEP = 5;
/** How far ahead that member is looked for. */
const SOON = 4;
/** How much work one sample may be: a few bytes of a schema can ask for billions of values. */
const MOST_STEPS = 100_000;

/** The answer to a request for structured output: any JSON, or JSON that fits a schema. */
export function sampleJson(output: Output, text: string): string {
  return JSON.stringify(output === "json" ? { text } : sampleOf(output.schema, text));
}

/**
 * A value that fits a JSON Schema: the text for strings, a small number, the first member of a union, required properties
 * only. The same schema and text always give the same value. `pattern`, `not` and conditions are not followed.
 *
 * @example
 * sampleOf({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }, "Oslo"); // { city: "Oslo" }
 */
export function sampleOf(schema: JsonObject, text: string): unknown {
  return new Sampler(schema, text).value(schema, 0);
}

class Sampler {
  /** What references are resolved in. */
  readonly #root: JsonObject;
  /** The text for strings without another constraint. */
  readonly #text: string;
  #stepsLeft: number;

  constructor(root: JsonObject, text: string) {
    this.#root = root;
    this.#text = text;
    this.#stepsLeft = MOST_STEPS + 10 * text.length;
  }

  value(given: unknown, depth: number): unknown {
    if (!isObject(given)) return this.#string({});
    if (depth > DEEPEST) return null;
    const schema = this.#resolve(given);
    if (schema["const"] !== undefined) return schema["const"];
    if (Array.isArray(schema["enum"])) return schema["enum"][0];
    const members = membersOf(schema);
    if (members === undefined) return this.#typed(schema, depth + 1);
    const member = depth < DEEP ? members[0] : (this.#soonestEnding(members) ?? members[0]);
    return this.value(member, depth + 1);
  }

  #soonestEnding(members: readonly JsonObject[]): JsonObject | undefined {
    for (let levels = 1; levels <= SOON; levels++) {
      const found = members.find((member) => this.#endsWithin(levels, member));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #typed(schema: JsonObject, depth: number): unknown {
    switch (typeOf(schema, depth)) {
      case "number":
      case "integer":
        return sampleNumber(schema);
      case "boolean":
        return true;
      case "null":
        return null;
      case "array":
        return this.#array(schema, depth);
      case "object":
        return Object.fromEntries(
          requiredIn(schema).map(({ key, schema: inner }) => [key, this.value(inner, depth)]),
        );
      default:
        return this.#string(schema);
    }
  }

  #array({ prefixItems, items, minItems }: JsonObject, depth: number): unknown[] {
    const first: unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    const length = Math.max(first.length, isNumber(minItems) ? Math.ceil(minItems) : 0);
    this.#spend(length);
    return Array.from({ length }, (_, index) => this.value(first[index] ?? items, depth));
  }

  #string(schema: JsonObject): string {
    const { minLength } = schema;
    this.#spend(Math.max(this.#text.length, isNumber(minLength) ? minLength : 0));
    return sampleText(schema, this.#text);
  }

  /** A schema without references to others, and with the schemas of `allOf` in it. */
  #resolve({ $ref: reference, allOf, ...own }: JsonObject, depth = 0): JsonObject {
    this.#spend(1);
    if (depth > DEEPEST || (reference === undefined && !Array.isArray(allOf))) return own;
    const isOurs = isString(reference) && reference.startsWith("#");
    const target = isOurs ? resolvePointer(this.#root, reference.slice(1)) : undefined;
    const parts = [target, ...(Array.isArray(allOf) ? allOf : [])].filter(isObject);
    return merged([...parts.map((part) => this.#resolve(part, depth + 1)), own]);
  }

  /** Whether a value of a schema nests no deeper than this. */
  #endsWithin(levels: number, given: JsonObject): boolean {
    if (levels === 0) return false;
    const schema = this.#resolve(given);
    const ends = (inner: unknown) => !isObject(inner) || this.#endsWithin(levels - 1, inner);
    const members = membersOf(schema);
    if (members !== undefined) return members.some(ends);
    const { items, minItems } = schema;
    const hasItems = isNumber(minItems) && minItems > 0;
    return requiredIn(schema).every(({ schema: inner }) => ends(inner)) && (!hasItems || ends(items));
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft >= 0) return;
    throw new DragomanError(
      "model/invalid",
      "the schema requires a larger answer than the demo models write",
      {
        hint: "use a smaller minItems or minLength, or fewer references",
        details: { retryable: false },
      },
    );
  }
}

function merged(schemas: readonly JsonObject[]): JsonObject {
  const properties = schemas.map((one) => one["properties"]).filter(isObject);
  const required = schemas.flatMap((one) => (Array.isArray(one["required"]) ? one["required"] : []));
  return {
    ...Object.assign({}, ...schemas),
    ...(properties.length === 0 ? {} : { properties: Object.assign({}, ...properties) }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

/** The members of a union, each with what the union states for all of them. */
function membersOf({ anyOf, oneOf, ...own }: JsonObject): JsonObject[] | undefined {
  const members = [anyOf, oneOf].find(Array.isArray)?.filter(isObject) ?? [];
  return members.length === 0 ? undefined : members.map((member) => merged([own, member]));
}

function requiredIn({ properties, required }: JsonObject): { key: string; schema: unknown }[] {
  const known = isObject(properties) ? properties : {};
  const keys = Array.isArray(required) ? required.filter(isString) : [];
  return keys.map((key) => ({ key, schema: known[key] }));
}

function typeOf({ type, properties, items, prefixItems, nullable }: JsonObject, depth: number): unknown {
  const types: unknown[] = [type].flat();
  if (depth > DEEP && (nullable === true || types.includes("null"))) return "null";
  if (type !== undefined) return types[0];
  if (isObject(properties)) return "object";
  return items !== undefined || prefixItems !== undefined ? "array" : "string";
}
