import { isObject } from "../../core/json/value.js";

/** Only Google's bodies have `contents` with `parts`, or `candidates`. */
export function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { contents, candidates } = document;
  if (Array.isArray(contents)) {
    return contents.some((content) => isObject(content) && Array.isArray(content["parts"])) ? 0.98 : 0.5;
  }
  return Array.isArray(candidates) && "usageMetadata" in document ? 0.95 : 0;
}
