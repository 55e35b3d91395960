import type { Sample } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";

/** Sure if the document has a session, and messages with an `info` and parts. */
export function detect({ document }: Sample): number {
  if (!isObject(document) || !isObject(document["info"]) || !Array.isArray(document["messages"])) return 0;
  const { info, messages } = document;
  const areMessages = messages.every(
    (message: unknown) => isObject(message) && isObject(message["info"]) && Array.isArray(message["parts"]),
  );
  if (!areMessages) return 0;
  return messages.length > 0 || isString(info["id"]) ? 0.98 : 0.5;
}
