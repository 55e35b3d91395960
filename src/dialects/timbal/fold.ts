import type { Folded, Frame } from "../../core/dialect.js";
import type { TimbalMessage } from "./live-message.js";
import { TimbalReceiver } from "./receiver.js";

/** How a message arrived: the frame to point at, and how many there were. */
interface Arrival {
  index: number;
  frames: number;
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
      folded.losses.push({ at: `/${index}`, what: "the frame", why, severity: "dropped" });
      continue;
    }
    const { message } = change;
    const frames = (arrivals.get(message)?.frames ?? 0) + 1;
    if (change.kind === "removed") {
      const at = `/${arrivals.get(message)?.index ?? index}`;
      folded.losses.push({ at, what: named(message), why: "a later frame deletes it", severity: "dropped" });
      arrivals.delete(message);
    } else arrivals.set(message, { index, frames });
  }
  for (const stream of receiver.streams()) {
    for (const message of receiver.messages(stream)) {
      const arrival = arrivals.get(message);
      if (arrival !== undefined) settle(folded, message, stream, arrival);
    }
  }
  return folded;
}

function settle(
  { records, losses }: Folded,
  message: TimbalMessage,
  s: string | undefined,
  arrival: Arrival,
) {
  const { index, frames } = arrival;
  const lose = (what: string, why: string, severity: "dropped" | "approximated") =>
    losses.push({ at: `/${index}`, what, why, severity });
  if (message.frame !== undefined) {
    records.push({ value: message.frame, index });
    if (frames > 1) {
      const what = `${frames - 1} earlier ${frames === 2 ? "frame" : "frames"} of ${named(message)}`;
      lose(what, "they were folded into its final value", "approximated");
    }
  } else if (message.value === null) {
    const why =
      message.state === "invalid" ? "its value is not an object" : "it was started, but nothing of it came";
    lose(named(message), why, "dropped");
  } else {
    const value = { ...(s === undefined ? {} : { s }), i: message.i, v: message.value };
    records.push({ value, index });
    lose(named(message), "it never completed; what had arrived is kept, without a time", "approximated");
  }
}

function named({ i, value }: TimbalMessage): string {
  const type = value?.["type"];
  return `the ${typeof type === "string" ? `${type} ` : ""}message ${i}`;
}
