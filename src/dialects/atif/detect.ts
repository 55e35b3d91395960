import type { Sample } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";

/** Sure if the document states that it is an ATIF trajectory, in whichever version. */
export function detect({ document }: Sample): number {
  const version = isObject(document) ? document["schema_version"] : undefined;
  return typeof version === "string" && version.startsWith("ATIF-v") ? 1 : 0;
}
