import type { Framing, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { INPUT, isBare, markBare } from "./wire.js";

/** The document is one record, because a list can be a text. */
export const framing: Framing = {
  kind: "document",
  split: (document) => {
    if (isObject(document)) return [document];
    if (Array.isArray(document)) return document.length === 0 ? [] : [markBare({ [INPUT]: document })];
    throw new DragomanError("model/invalid", "expected the attributes of a span or a list of messages", {
      at: "",
    });
  },
  join: ([first]) => (first === undefined ? [] : joined(first)),
  pointer: () => "",
};

/** With escrow, which is a field, a list becomes the input of a span. */
function joined(record: JsonRecord): unknown {
  return isBare(record) && Object.keys(record).length === 1 ? record[INPUT] : record;
}
