import type { Drift } from "../../core/dialect.js";
import { NAME } from "./wire.js";

/** A drift of this dialect: `reason` is the last part of its code. */
export function warning(at: string, reason: string, message: string, hint?: string): Drift {
  const drift: Drift = { at, code: `${NAME}/${reason}`, message, severity: "warning" };
  return hint === undefined ? drift : { ...drift, hint };
}
