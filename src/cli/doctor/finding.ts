import { wordsOf } from "../../core/error.js";

/** The result of one check. */
export interface Finding {
  /** What was checked: `node`, `home`, `configuration`, … */
  subject: string;
  /** A problem breaks something or makes it unsafe; a warning does not. */
  level: "ok" | "warning" | "problem";
  message: string;
  fix?: string;
}

export function ok(subject: string, message: string): Finding {
  return { subject, level: "ok", message };
}

export function warning(subject: string, message: string, fix: string): Finding {
  return { subject, level: "warning", message, fix };
}

export function problem(subject: string, message: string, fix: string): Finding {
  return { subject, level: "problem", message, fix };
}

/** An error as a finding; its own hint comes before `fix`. */
export function failed(subject: string, error: unknown, fix: string): Finding {
  const message = wordsOf(error);
  const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
  return problem(subject, message, typeof hint === "string" ? hint : fix);
}
