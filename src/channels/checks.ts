import { guards } from "../core/validate.js";
import * as generated from "./generated/validators.js";

/** The checks of what platforms say, and of what is said to them. */
export const native = guards(generated);

/**
 * Where something is not what its schema says: `/message/photo/N/file_id: expected string`. What stands there instead is not told,
 * because people wrote it. Undefined when it fits.
 */
export function misfit(name: keyof typeof generated, value: unknown): string | undefined {
  const [first] = native.mismatches(name, value);
  return first && `${first.at.replace(/\/\d+(?=\/|$)/g, "/N") || "/"}: expected ${first.expected}`;
}
