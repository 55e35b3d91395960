import type { JsonRecord } from "../../core/dialect.js";
import type { FileContent, UserContent } from "../../core/types.js";

/** A turn's `mediaUrls`; none if they are invalid. */
export function mediaOf({ mediaUrls }: JsonRecord): string[] {
  if (!Array.isArray(mediaUrls)) return [];
  return mediaUrls.every((url) => typeof url === "string") ? mediaUrls : [];
}

/** Adds files without marks after the other blocks. A URL that a block already has is not added again. */
export function withFiles(blocks: readonly UserContent[], media: readonly string[]): UserContent[] {
  const shown = new Set(blocks.flatMap((block) => ("url" in block ? block.url : [])));
  const files = media.filter((url) => !shown.has(url)).map((url): FileContent => ({ type: "file", url }));
  return [...blocks, ...files];
}

/** Drops the marks that `withFiles` does not need: of files at the end that have only a URL, which no other block has. */
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
