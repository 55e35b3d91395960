import type { Dialect, Rollback, RollbackRole } from "../core/dialect.js";
import { noteMessage, noteOf } from "../core/message/notes.js";
import { containsText } from "../framing/contains-text.js";
import type { SourceMessage } from "./decode.js";
import { readMessages } from "./read-messages.js";

/** Messages by their number in the source, from 0. */
export interface RolledBack {
  has(number: number): boolean;
}

/** The messages of the turns that later records take back, with these records. */
export async function findRolledBack(
  open: () => AsyncIterable<Uint8Array>,
  from: Dialect,
  { key, role }: Rollback,
): Promise<RolledBack> {
  const finder = new RollbackFinder();
  if (!(await containsText(open(), `"${key}"`))) return finder;
  for await (const messages of readMessages(open(), { from })) {
    for (const { message } of messages) finder.add(role(message));
  }
  return finder;
}

/** Finds the turns that are taken back, message by message. It stores a number for each turn. */
export class RollbackFinder implements RolledBack {
  /** The numbers of the first messages of the turns that are left. */
  readonly #turns: number[] = [];
  /** In ascending order, without overlaps. */
  readonly #ranges: { start: number; end: number }[] = [];
  /** The first of the messages directly before a turn. */
  #before: number | undefined;
  #next = 0;

  add(role: RollbackRole | undefined): void {
    const number = this.#next++;
    if (role === undefined) return;
    if (role === "before") {
      this.#before ??= number;
      return;
    }
    if (role === "start") this.#turns.push(this.#turns.length === 0 ? number : (this.#before ?? number));
    this.#before = undefined;
    if (typeof role === "object") this.#takeBack(role.turns, number);
  }

  #takeBack(turns: number, end: number): void {
    const [start] = turns > 0 ? this.#turns.splice(-turns) : [];
    if (start === undefined) return;
    while ((this.#ranges.at(-1)?.start ?? -1) >= start) this.#ranges.pop();
    this.#ranges.push({ start, end });
  }

  has(number: number): boolean {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.end ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return (this.#ranges[low]?.start ?? number + 1) <= number;
  }
}

/** A message whose turn was taken back, as a note that no model is shown. */
export function rolledBackNote({ message, origin }: SourceMessage): SourceMessage {
  const note = noteMessage({ type: "dragoman/rolled-back", data: { message } }, message.timestamp);
  return { message: note, origin };
}

/** The message in such a note, for a dialect that can take back turns; other messages as they are. */
export function withoutRolledBackNote(source: SourceMessage): SourceMessage {
  const note = noteOf(source.message);
  if (note?.type !== "dragoman/rolled-back") return source;
  const { base, ...others } = source;
  const { message } = note.data;
  return { ...others, message, ...(base === undefined ? {} : { base: `${base}/data/message` }) };
}
