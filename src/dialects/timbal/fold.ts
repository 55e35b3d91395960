import type { Folded, FoldLoss, Frame } from "../../core/dialect.js";
import { IncrementalJson } from "../../core/json/incremental.js";
import type { JsonObject } from "../../core/json/value.js";
import type { TimbalMessage } from "./live-message.js";
import { TimbalReceiver } from "./receiver.js";

/** How a message arrived: the indices of its frames, the last one being its place, and its state after them. */
interface Arrival {
  frames: number[];
  meta: JsonObject | undefined;
  text: string;
  value: JsonObject | null;
  /** A frame set a value that contradicts the frames before it. */
  differs: boolean;
}

/** Folds a file of frames into one set frame per message, ordered by stream name and message id. */
export function fold(frames: readonly Frame[]): Folded {
  const receiver = new TimbalReceiver();
  const arrivals = new Map<TimbalMessage, Arrival>();
  const folded: Folded = { records: [], losses: [] };
  for (const { value, index } of frames) {
    const change = receiver.receive(value);
    if (change.kind === "ignored" || change.kind === "error") {
      const why = change.kind === "error" ? "a control frame is not part of the transcript" : change.why;
      folded.losses.push({ at: `/${index}`, what: "the frame", why, severity: "dropped", frames: [index] });
      continue;
    }
    const { message } = change;
    const before = arrivals.get(message);
    if (change.kind === "removed") {
      const frames = [...(before?.frames ?? []), index];
      const at = `/${before?.frames.at(-1) ?? index}`;
      const why = "a later frame deletes it";
      folded.losses.push({ at, what: named(message), why, severity: "dropped", frames });
      arrivals.delete(message);
    } else arrivals.set(message, arrivalOf(message, index, before));
  }
  for (const stream of receiver.streams()) {
    for (const message of receiver.messages(stream)) {
      const arrival = arrivals.get(message);
      if (arrival !== undefined) foldMessage(folded, message, stream, arrival);
    }
  }
  return folded;
}

function arrivalOf(message: TimbalMessage, index: number, before: Arrival | undefined): Arrival {
  const { meta, text, value, frame } = message;
  const differs =
    before !== undefined &&
    (before.differs || (frame !== undefined && value !== null && !leadsTo(before, value)));
  const frames = before?.frames ?? [];
  frames.push(index);
  return { frames, meta, text, value, differs };
}

/** Whether the final value contains everything that had arrived. A tool call's text is its arguments. */
function leadsTo({ meta, text, value: live }: Arrival, value: JsonObject): boolean {
  if (live === null) return text.trim() === "";
  if (meta === undefined) return isSame(live, value);
  const isText = text === "" || text === value["content"] || isTextOf(text, value["arguments"]);
  return isText && Object.entries(meta).every(([name, field]) => isSame(field, value[name]));
}

function isTextOf(text: string, value: unknown): boolean {
  const json = new IncrementalJson();
  json.push(text);
  return json.error === undefined && isSame(json.value, value);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function foldMessage(
  { records, losses }: Folded,
  message: TimbalMessage,
  s: string | undefined,
  arrival: Arrival,
) {
  const { frames, differs } = arrival;
  const index = frames.at(-1) ?? 0;
  const addLoss = (what: string, why: string, severity: FoldLoss["severity"], lost = frames) =>
    losses.push({ at: `/${index}`, what, why, severity, frames: lost });
  if (message.frame !== undefined) {
    records.push({ value: message.frame, index });
    if (differs) {
      const earlier = frames.slice(0, -1);
      const what = `${earlier.length} earlier ${earlier.length === 1 ? "frame" : "frames"} of ${named(message)}`;
      addLoss(what, "they do not add up to its final value, which is kept", "approximated", earlier);
    }
  } else if (message.value === null) {
    const why =
      message.state === "invalid" ? "its value is not an object" : "it was started, but none of it arrived";
    addLoss(named(message), why, "dropped");
  } else {
    const value = { ...(s === undefined ? {} : { s }), i: message.i, v: message.value };
    records.push({ value, index });
    const why = "it never completed; the part that arrived is kept, without a time";
    addLoss(named(message), why, "approximated");
  }
}

function named({ i, value }: TimbalMessage): string {
  const type = value?.["type"];
  return `the ${typeof type === "string" ? `${type} ` : ""}message ${i}`;
}
