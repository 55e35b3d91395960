import { isObject } from "../../core/json/value.js";

/** Contents of parts are Google's alone, and so are candidates. */
export function detect(document: unknown): number {
  if (!isObject(document)) return 0;
  const { contents, candidates } = document;
  if (Array.isArray(contents)) {
    return contents.some((content) => isObject(content) && Array.isArray(content["parts"])) ? 0.98 : 0.5;
  }
  return Array.isArray(candidates) && "usageMetadata" in document ? 0.95 : 0;
}
