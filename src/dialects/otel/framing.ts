import { ESCROW, type Framing, type JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { hasEscrow } from "../../core/records/escrow-field.js";
import { unexpected } from "../../core/records/unexpected.js";
import { attributesOf, hasList, INPUT, isBare, LISTS, markBare, SELECT_SPAN } from "./wire.js";

/** The document is one record, because a list can be a text. */
export const framing: Framing = {
  kind: "document",
  split,
  join: ([first]) => (first === undefined ? [] : joined(first)),
  pointer: () => "",
};

function split(document: unknown): unknown[] {
  if (Array.isArray(document)) return document.length === 0 ? [] : [recordOf(document)];
  if (isObject(document) && (hasList(attributesOf(document)) || hasEscrow(document))) return [document];
  const expected = `an array of messages, or an object with ${LISTS.join(" or ")}`;
  throw unexpected("", expected, document, SELECT_SPAN);
}

/** A list of messages as the input of a span. Its escrow is in the first message. */
function recordOf(list: readonly unknown[]): JsonRecord {
  const [first, ...others] = list;
  if (!hasEscrow(first)) return markBare({ [INPUT]: list });
  const { [ESCROW]: escrow, ...message } = first;
  return markBare({ [INPUT]: [message, ...others], [ESCROW]: escrow });
}

function joined(record: JsonRecord): unknown {
  const list = record[INPUT];
  if (!isBare(record) || !Array.isArray(list)) return record;
  if (!hasEscrow(record)) return list;
  const [first, ...others]: unknown[] = list;
  return [{ ...(isObject(first) ? first : {}), [ESCROW]: record[ESCROW] }, ...others];
}
