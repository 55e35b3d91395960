import type { ImageContent } from "../types.js";

const details = ["low", "high", "auto"] as const;

/** The detail of an image as a field to spread; nothing for what is none. */
export function imageDetail({ detail }: { detail?: unknown }): Pick<ImageContent, "detail"> {
  const known = details.find((name) => name === detail);
  return known === undefined ? {} : { detail: known };
}
