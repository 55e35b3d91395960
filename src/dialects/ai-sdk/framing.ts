import type { Framing } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";

export const framing: Framing = {
  kind: "document",
  split,
  join: (records) => records,
  pointer: (index) => `/${index}`,
};

function split(document: unknown): unknown[] {
  if (Array.isArray(document)) return document;
  const isWrapped = isObject(document) && Array.isArray(document["messages"]);
  throw new DragomanError("model/invalid", "expected an array of model messages", {
    at: "",
    hint: isWrapped ? "pass only the array under messages" : "put the messages into [ ]",
  });
}
