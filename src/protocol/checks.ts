import { DragomanError } from "../core/error.js";
import { guards, type Validator } from "../core/validate.js";
import { checks } from "./generated/methods.js";
import * as generated from "./generated/validators.js";
import type { MethodName } from "./schema.js";

export { checks };

/** The checks of what goes over the wire, by the name of the schema. */
export const wire = guards(generated);

/** Every method there is. */
export const methodNames = Object.keys(checks).filter(isMethod);

export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(checks, name);
}

/** Returns the value, typed, or throws `model/invalid` saying where it is not what it should be. */
export function checked<T>(validator: Validator<T>, value: unknown, what: string): T {
  if (validator(value)) return value;
  const [first] = guards({ validator }).mismatches("validator", value);
  throw new DragomanError("model/invalid", `${what}: expected ${first?.expected}, found ${first?.found}`, {
    at: first?.at ?? "",
  });
}
