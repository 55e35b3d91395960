import type { Limit } from "../dialect.js";

/**
 * The limits of one role, each a pointer into its messages and the reason.
 *
 * @example
 * limitsOf("user", { "/content": "a prompt is one text" }); // [{ at: "/content", role: "user", why: "a prompt is one text" }]
 */
export function limitsOf(role: string, reasons: Readonly<Record<string, string>>): Limit[] {
  return Object.entries(reasons).map(([at, why]) => ({ at, role, why }));
}

/** The limits of formats in which a compaction is one text, and everything before it is gone. */
export const textCompactionLimits: readonly Limit[] = limitsOf("compaction", {
  "/verbatim": "a compaction is a text, and readers decide how to introduce it",
  "/firstKeptId": "a compaction replaces everything before it",
  "/keptIds": "a compaction replaces everything before it",
  "/replacement": "a compaction is one text",
  "/tokensBefore": "a compaction is one text",
  "/details": "a compaction is one text",
});
