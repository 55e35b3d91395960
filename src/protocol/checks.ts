import { DragomanError } from "../core/error.js";
import { guards, type Validator } from "../core/validate.js";
import { checks } from "./generated/methods.js";
import * as generated from "./generated/validators.js";
import type { MethodName } from "./schema.js";

export { checks };

/** Checks for frames on the wire, by schema name. */
export const wire = guards(generated);

export const methodNames = Object.keys(checks).filter(isMethod);

export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(checks, name);
}

/** Returns the typed value, or throws `model/invalid` with the place where it differs from the schema. */
export function checked<T>(validator: Validator<T>, value: unknown, what: string): T {
  if (validator(value)) return value;
  const [first] = guards({ validator }).mismatches("validator", value);
  throw new DragomanError("model/invalid", `${what}: expected ${first?.expected}, found ${first?.found}`, {
    at: first?.at ?? "",
  });
}
