import { type Guarded, guards, type Validator } from "../core/validate.js";

/** A valid native value, or where and how it is invalid. */
export type Checked<T> = { value: T } | { misfit: string };

/**
 * Checks values from a platform with the validators of its folder. A misfit is `/message/photo/N/file_id: expected string`;
 * it does not include the value found, which is people's private text.
 */
export function nativeChecks<V extends { [N in keyof V]: Validator<unknown> }>(validators: V) {
  const { check } = guards(validators);
  return <N extends keyof V & string>(name: N, value: unknown): Checked<Guarded<V[N]>> => {
    const checked = check(name, value);
    if ("value" in checked) return checked;
    const { at, expected } = checked.mismatches[0] ?? { at: "", expected: "something else" };
    return { misfit: `${at.replace(/\/\d+(?=\/|$)/g, "/N") || "/"}: expected ${expected}` };
  };
}
