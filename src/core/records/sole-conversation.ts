import { DragomanError } from "../error.js";
import { isObject, type JsonObject } from "../json/value.js";

/** A document that is one conversation, or an array with one; `at` is its pointer. */
export function soleConversation(document: unknown): { conversation: JsonObject; at: "" | "/0" } {
  const isArray = Array.isArray(document);
  if (isArray && document.length > 1) {
    const message = `the document holds ${document.length} conversations`;
    throw new DragomanError("convert/many-conversations", message, {
      at: "",
      hint: "choose one: `dragoman convert --conversation N` writes it as a file of its own",
    });
  }
  const conversation: unknown = isArray ? document[0] : document;
  const at = isArray && document.length === 1 ? "/0" : "";
  if (isObject(conversation)) return { conversation, at };
  throw new DragomanError("model/invalid", "expected a conversation: a JSON object", { at });
}
