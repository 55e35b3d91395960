import type { Folded, FoldLoss, Frame } from "../../core/dialect.js";
import type { TimbalMessage } from "./live-message.js";
import { TimbalReceiver } from "./receiver.js";

/** How a message arrived: the index of each frame; the last is the one to point at. */
type Arrival = number[];

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
    const arrival = arrivals.get(message) ?? [];
    const at = `/${arrival.at(-1) ?? index}`;
    arrivals.set(message, arrival);
    arrival.push(index);
    if (change.kind === "removed") {
      const why = "a later frame deletes it";
      folded.losses.push({ at, what: named(message), why, severity: "dropped", frames: arrival });
      arrivals.delete(message);
    }
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
  const index = arrival.at(-1) ?? 0;
  const lose = (what: string, why: string, severity: FoldLoss["severity"], frames = arrival) =>
    losses.push({ at: `/${index}`, what, why, severity, frames });
  if (message.frame !== undefined) {
    records.push({ value: message.frame, index });
    const earlier = arrival.slice(0, -1);
    if (earlier.length > 0) {
      const what = `${earlier.length} earlier ${earlier.length === 1 ? "frame" : "frames"} of ${named(message)}`;
      lose(what, "they were folded into its final value", "approximated", earlier);
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
