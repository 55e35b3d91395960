import type { Item } from "./items.js";
import type { LiveAnswer, LivePart } from "./live/live-answer.js";
import type { Part } from "./parts.js";
import { type Speaker, speakerOf } from "./speakers.js";

/** One part of one message. A long message is many rows, of which only the visible ones are rendered. */
export interface Row {
  key: string;
  /** Shown above the first row of a message. */
  speaker: Speaker | undefined;
  kind: "user" | "agent" | "note";
  first: boolean;
  last: boolean;
  content: { type: "stored"; part: Part; item: Item } | { type: "live"; part: LivePart };
}

const rowsOfItem = new WeakMap<Item, readonly Row[]>();

/** The rows of stored messages, cached by item. */
export function storedRows(items: readonly Item[]): Row[] {
  const rows: Row[] = [];
  for (const item of items) {
    let known = rowsOfItem.get(item);
    if (known === undefined) {
      known = makeRows(item);
      rowsOfItem.set(item, known);
    }
    for (const row of known) rows.push(row);
  }
  return rows;
}

function makeRows(item: Item): Row[] {
  const { role } = item.message;
  const kind = role === "user" ? "user" : role === "assistant" || role === "agentMessage" ? "agent" : "note";
  return item.parts.map((part, at) => ({
    key: `${item.key}-${item.places?.[at] ?? at}`,
    speaker: at === 0 ? item.speaker : undefined,
    kind,
    first: at === 0,
    last: at === item.parts.length - 1,
    content: { type: "stored", part, item },
  }));
}

/** The rows of a streaming answer; `goesOn` if it continues the same agent's answer after its tools. */
export function liveRows(live: LiveAnswer, parts: readonly LivePart[], goesOn: boolean): Row[] {
  return parts.map((part, at) => ({
    key: part.key,
    speaker: at === 0 && !goesOn ? speakerOf("assistant", live.sender) : undefined,
    kind: "agent",
    first: at === 0,
    last: false,
    content: { type: "live", part },
  }));
}

/** Rows were added before the first one because older messages were loaded, so the visible rows must not move. */
export function grewAtStart(before: readonly Row[], after: readonly Row[]): boolean {
  const [first] = before;
  const [now] = after;
  if (first === undefined || now === undefined || first.key === now.key) return false;
  return after.some(({ key }) => key === first.key);
}
