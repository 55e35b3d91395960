import type { ImageContent } from "../types.js";

const details = ["low", "high", "auto"] as const;

/** An image's `detail` as a field to spread; empty for unknown values. */
export function imageDetail({ detail }: { detail?: unknown }): Pick<ImageContent, "detail"> {
  const known = details.find((name) => name === detail);
  return known === undefined ? {} : { detail: known };
}
