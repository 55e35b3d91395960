import type { Framing } from "../dialect.js";
import { DragomanError } from "../error.js";
import { isObject } from "../json/value.js";

/**
 * The framing of a document that is an array of messages.
 *
 * @example
 * const framing = messageArray("UI messages");
 */
export function messageArray(messages: string): Framing {
  return {
    kind: "document",
    split(document) {
      if (Array.isArray(document)) return document;
      const isWrapped = isObject(document) && Array.isArray(document["messages"]);
      throw new DragomanError("model/invalid", `expected an array of ${messages}`, {
        at: "",
        hint: isWrapped ? "pass only the array under messages" : "put the messages into [ ]",
      });
    },
    join: (records) => records,
    pointer: (index) => `/${index}`,
  };
}
