import type { Folded, FoldLoss, Frame } from "../../core/dialect.js";
import { IncrementalJson } from "../../core/json/incremental.js";
import type { JsonObject } from "../../core/json/value.js";
import type { TimbalMessage } from "./live-message.js";
import { TimbalReceiver } from "./receiver.js";

/** How a message arrived: the index of each frame, the last being the one to point at, and what they amounted to. */
interface Arrival {
  frames: number[];
  meta: JsonObject | undefined;
  text: string;
  value: JsonObject | null;
  /** A frame set it to something else than the frames before had led to. */
  differs: boolean;
}

/** What a file of frames amounts to: one set frame per message, streams by name, messages by id. */
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

/** Whether all that had arrived is in the final value too. The text of a tool call is its arguments. */
function leadsTo({ meta, text, value: live }: Arrival, value: JsonObject): boolean {
  if (live === null) return text.trim() === "";
  if (meta === undefined) return isSame(live, value);
  const isText = text === "" || text === value["content"] || isTextOf(text, value["arguments"]);
  return isText && Object.entries(meta).every(([name, said]) => isSame(said, value[name]));
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
  const lose = (what: string, why: string, severity: FoldLoss["severity"], lost = frames) =>
    losses.push({ at: `/${index}`, what, why, severity, frames: lost });
  if (message.frame !== undefined) {
    records.push({ value: message.frame, index });
    if (differs) {
      const earlier = frames.slice(0, -1);
      const what = `${earlier.length} earlier ${earlier.length === 1 ? "frame" : "frames"} of ${named(message)}`;
      lose(what, "they do not add up to its final value, which is kept", "approximated", earlier);
    }
  } else if (message.value === null) {
    const why =
      message.state === "invalid" ? "its value is not an object" : "it was started, but none of it arrived";
    lose(named(message), why, "dropped");
  } else {
    const value = { ...(s === undefined ? {} : { s }), i: message.i, v: message.value };
    records.push({ value, index });
    lose(named(message), "it never completed; the part that arrived is kept, without a time", "approximated");
  }
}

function named({ i, value }: TimbalMessage): string {
  const type = value?.["type"];
  return `the ${typeof type === "string" ? `${type} ` : ""}message ${i}`;
}
