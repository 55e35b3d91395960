import type { JsonRecord } from "../../core/dialect.js";
import type { FileContent, UserContent } from "../../core/types.js";

/** The URLs that stand beside the content of a turn; none where they are not what the format says. */
export function mediaOf({ mediaUrls }: JsonRecord): string[] {
  if (!Array.isArray(mediaUrls)) return [];
  return mediaUrls.every((url) => typeof url === "string") ? mediaUrls : [];
}

/** Files without marks of their own stand after the other blocks. A URL that a block of the turn has is that block. */
export function withFiles(blocks: readonly UserContent[], media: readonly string[]): UserContent[] {
  const shown = new Set(blocks.flatMap((block) => ("url" in block ? block.url : [])));
  const files = media.filter((url) => !shown.has(url)).map((url): FileContent => ({ type: "file", url }));
  return [...blocks, ...files];
}

/**
 * Drops the marks of those files that `withFiles` finds without them: the last blocks, each with nothing but a URL that
 * no block before it has.
 */
export function dropImplied(marks: Record<string, JsonRecord>, blocks: readonly UserContent[]): void {
  const urls = new Map<string, number>();
  for (const block of blocks) {
    if ("url" in block && block.url !== undefined) urls.set(block.url, (urls.get(block.url) ?? 0) + 1);
  }
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index];
    const isPlain = block?.type === "file" && Object.keys(block).length === 2 && block.url !== undefined;
    if (!isPlain || urls.get(block.url) !== 1) return;
    Reflect.deleteProperty(marks, index);
  }
}
