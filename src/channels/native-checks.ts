import { type Guarded, guards, type Validator } from "../core/validate.js";

/** Something of a platform that has the shape it should have, or where it has not. */
export type Checked<T> = { value: T } | { misfit: string };

/**
 * The check of what comes from a platform, by the validators of its folder. A misfit is `/message/photo/N/file_id: expected
 * string`; what stands there instead is not told, because people wrote it.
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
