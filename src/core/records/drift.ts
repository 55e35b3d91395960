import type { Drift } from "../dialect.js";

/** Makes the drifts of a dialect. `reason` is the last part of the code; the first is the dialect's name. */
export function driftsOf(dialect: string) {
  const drift =
    (severity: "error" | "warning") =>
    (at: string, reason: string, message: string, hint?: string): Drift => ({
      at,
      code: `${dialect}/${reason}`,
      message,
      ...(hint === undefined ? {} : { hint }),
      severity,
    });
  return { error: drift("error"), warning: drift("warning") };
}
