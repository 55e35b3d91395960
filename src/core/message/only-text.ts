import type { UserContent } from "../types.js";

/** The text of content that is a single text without notes. */
export function onlyText(content: readonly UserContent[]): string | undefined {
  const only = content.length === 1 ? content[0] : undefined;
  return only?.type === "text" && only.ext === undefined ? only.text : undefined;
}
