import { DragomanError } from "./error.js";
import * as generated from "./generated/validators.js";
import { resolvePointer } from "./json/pointer.js";

/** One error of a generated validator, with the generator's keywords. */
interface SchemaError {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** A generated validator: a type guard that stores its errors as a property of itself. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: SchemaError[] | null;
}

/** The type a generated validator checks for. */
export type Guarded<V> = V extends Validator<infer T> ? T : never;

/** Checks against a set of schemas, by schema name. */
export interface Guards<V> {
  /** True when the value has the shape of the named schema. Fields the schema does not know are allowed. */
  is<N extends keyof V & string>(name: N, value: unknown): value is Guarded<V[N]>;
  /** The typed value, or every place where it differs from the named schema. Validates once. */
  check<N extends keyof V & string>(
    name: N,
    value: unknown,
  ): { value: Guarded<V[N]> } | { mismatches: Mismatch[] };
  /** Every place where the value differs from the named schema; empty when it fits. */
  mismatches(name: keyof V & string, value: unknown): Mismatch[];
  /** Returns the typed value, or throws `model/invalid` with the place where it differs from the named schema. */
  parse<N extends keyof V & string>(name: N, value: unknown): Guarded<V[N]>;
}

/** A place where a value does not match its schema. */
export interface Mismatch {
  at: string;
  expected: string;
  found: string;
}

export function guards<V extends { [N in keyof V]: Validator<unknown> }>(validators: V): Guards<V> {
  const is = <N extends keyof V & string>(name: N, value: unknown): value is Guarded<V[N]> =>
    validators[name](value);
  const check: Guards<V>["check"] = (name, value) =>
    is(name, value) ? { value } : { mismatches: describe(validators[name].errors ?? [], value) };
  return {
    is,
    check,
    mismatches: (name, value) => {
      const checked = check(name, value);
      return "mismatches" in checked ? checked.mismatches : [];
    },
    parse: (name, value) => {
      const checked = check(name, value);
      if ("value" in checked) return checked.value;
      const [first, ...more] = checked.mismatches;
      const others = more.length > 0 ? ` (and ${more.length} more)` : "";
      throw new DragomanError(
        "model/invalid",
        `not a valid ${name}: expected ${first?.expected}, found ${first?.found}${others}`,
        { at: first?.at ?? "", hint: `see schemas/${name}.json` },
      );
    },
  };
}

/** The names of the model's schemas. */
export type ModelName = keyof typeof generated;
export type Model<N extends ModelName> = Guarded<(typeof generated)[N]>;

/**
 * Checks against the model's schemas.
 *
 * @example
 * if (is("AgentMessage", value)) console.log(value.role);
 */
export const { is, mismatches, parse }: Guards<typeof generated> = guards(generated);

function describe(errors: SchemaError[], value: unknown): Mismatch[] {
  const byPlace = new Map<string, SchemaError[]>();
  for (const error of errors) {
    const sofar = byPlace.get(error.instancePath);
    if (sofar === undefined) byPlace.set(error.instancePath, [error]);
    else sofar.push(error);
  }
  const places = [...byPlace.keys()];
  const result: Mismatch[] = [];
  for (const [at, local] of byPlace) {
    // A union reports an error for every member. If one nearly matched, its deeper error is the useful one.
    const union = local.some(({ keyword }) => keyword === "anyOf");
    if (union && places.some((other) => other.startsWith(`${at}/`))) continue;
    const found = show(resolvePointer(value, at));
    const expectations = [...new Set(local.map(expectation).filter((text) => text !== undefined))];
    if (union) result.push({ at, expected: expectations.join(" or "), found });
    else for (const expected of expectations) result.push({ at, expected, found });
  }
  return result;
}

/** What an error expected, as text; undefined for errors that only summarise others. */
function expectation({ keyword, params }: SchemaError): string | undefined {
  switch (keyword) {
    case "type":
      return `${params["type"]}`;
    case "required":
      return `a property "${params["missingProperty"]}"`;
    case "const":
      return show(params["allowedValue"]);
    case "enum":
      return [params["allowedValues"]].flat().map(show).join(" or ");
    case "pattern":
      return `text that matches ${params["pattern"]}`;
    case "minimum":
      return `a number of at least ${params["limit"]}`;
    case "maximum":
      return `a number of at most ${params["limit"]}`;
    case "minItems":
      return `at least ${params["limit"]} ${params["limit"] === 1 ? "item" : "items"}`;
    case "additionalProperties":
      return `no property "${params["additionalProperty"]}"`;
    case "discriminator":
      return params["error"] === "tag" ? `a property "${params["tag"]}"` : `a known "${params["tag"]}"`;
    default:
      return undefined;
  }
}

const SHOWN = 40;

/** A short description of a value, for error messages. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    return `an object with ${keys.length === 0 ? "no properties" : keys.slice(0, 5).join(", ")}${keys.length > 5 ? ", …" : ""}`;
  }
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
