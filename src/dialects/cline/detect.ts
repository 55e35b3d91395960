import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

/** Sure if the document has a version and a session; other formats may also have a version. */
export function detect({ document }: Sample): number {
  if (!isObject(document) || !Array.isArray(document["messages"])) return 0;
  if (typeof document["version"] !== "number") return 0;
  return typeof document["sessionId"] === "string" || "updated_at" in document ? 0.98 : 0.6;
}
