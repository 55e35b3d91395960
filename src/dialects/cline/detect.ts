import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

/** Sure when a document names its version and its session; a version alone may be anybody's. */
export function detect({ document }: Sample): number {
  if (!isObject(document) || !Array.isArray(document["messages"])) return 0;
  if (typeof document["version"] !== "number") return 0;
  return typeof document["sessionId"] === "string" || "updated_at" in document ? 0.98 : 0.6;
}
