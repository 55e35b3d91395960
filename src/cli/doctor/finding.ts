import { wordsOf } from "../../core/error.js";
/** What a look at one thing found. */
export interface Finding {
  /** What was looked at: `node`, `home`, `configuration`, … */
  subject: string;
  /** A warning is worth knowing; a problem keeps something from working, or safe. */
  level: "ok" | "warning" | "problem";
  message: string;
  /** What to do about it. */
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

/** What an error says, as a finding. */
export function failed(subject: string, error: unknown, fix: string): Finding {
  const message = wordsOf(error);
  const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
  return problem(subject, message, typeof hint === "string" ? hint : fix);
}
