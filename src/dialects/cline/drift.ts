import type { Drift } from "../../core/dialect.js";

/** Real files do it and readers cope. */
export function warning(at: string, reason: string, message: string, hint?: string): Drift {
  return {
    at,
    code: `cline/${reason}`,
    message,
    ...(hint === undefined ? {} : { hint }),
    severity: "warning",
  };
}

export function error(at: string, reason: string, message: string, hint?: string): Drift {
  return { ...warning(at, reason, message, hint), severity: "error" };
}
