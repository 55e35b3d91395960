import { DragomanError } from "../error.js";
import { isObject, type JsonObject } from "../json/value.js";

/** A document that is one conversation, or an array with one; `at` is its pointer. */
export function soleConversation(document: unknown): { conversation: JsonObject; at: "" | "/0" } {
  const isArray = Array.isArray(document);
  if (isArray && document.length > 1) throw manyConversations(document.length);
  const conversation: unknown = isArray ? document[0] : document;
  const at = isArray && document.length === 1 ? "/0" : "";
  if (isObject(conversation)) return { conversation, at };
  throw new DragomanError("model/invalid", "expected a conversation: a JSON object", { at });
}

/** The error for a file with several conversations of which none was chosen. */
export function manyConversations(count: number): DragomanError {
  return new DragomanError("convert/many-conversations", `the file holds ${count} conversations`, {
    at: "",
    hint: "choose one with `dragoman convert --conversation ID|TITLE|N`, or convert all with --all -o FOLDER",
  });
}
