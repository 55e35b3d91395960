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
