import type { Dialect, Problem, Severity } from "../core/dialect.js";
import type { Place } from "../core/error.js";
import { locatePointers } from "../core/json/locate.js";
import { formatPointer, resolvePointer } from "../core/json/pointer.js";
import type { SourceMessage } from "./decode.js";
import { placeOf, type SourceRecord } from "./read.js";

/** Something wrong, without its place. */
export interface Finding {
  /** `area/reason` */
  code: string;
  message: string;
  hint?: string;
  severity: Severity;
}

/** A place that is known, or a pointer into a record that has yet to be looked for in its text. */
export type Spot = Required<Place> | { record: SourceRecord; pointer: string };

/** As far into the record as the path leads there, where record and message have the same shape. */
export function spotIn({ origin, base }: SourceMessage, path: readonly (string | number)[] = []): Spot {
  if (origin === undefined) return { at: "", line: 1, column: 1 };
  if (base === undefined) return { record: origin, pointer: "" };
  for (let length = path.length; length > 0; length--) {
    const pointer = `${base}${formatPointer(path.slice(0, length))}`;
    if (resolvePointer(origin.value, pointer) !== undefined) return { record: origin, pointer };
  }
  return { record: origin, pointer: base };
}

/**
 * Gives findings their place and hands them on: in a file of lines at once; in a document at the end, because there
 * every place costs a walk through the whole text, and one walk does for all.
 */
export class Report {
  readonly #onProblem: (problem: Problem) => void;
  readonly #waits: boolean;
  readonly #waiting: { spot: Spot; finding: Finding }[] = [];

  constructor(dialect: Dialect, onProblem: (problem: Problem) => void) {
    this.#onProblem = onProblem;
    this.#waits = dialect.framing.kind === "document";
  }

  add(spot: Spot, finding: Finding): void {
    if (this.#waits) this.#waiting.push({ spot, finding });
    else this.#onProblem({ ...placeOfSpot(spot), ...finding });
  }

  /** The same spot without the text of its record, to be kept for later. */
  settle(spot: Spot): Spot {
    return this.#waits ? spot : placeOfSpot(spot);
  }

  finish(): void {
    const places = placesOf(this.#waiting.map(({ spot }) => spot));
    for (const [index, { finding }] of this.#waiting.entries()) {
      const place = places[index];
      if (place !== undefined) this.#onProblem({ ...place, ...finding });
    }
  }
}

/** The places of many spots, walking once through each text. */
export function placesOf(spots: readonly Spot[]): Required<Place>[] {
  const pointersIn = new Map<string, string[]>();
  for (const spot of spots) {
    if (!("record" in spot)) continue;
    const pointers = pointersIn.get(spot.record.text) ?? [];
    pointersIn.set(spot.record.text, pointers);
    pointers.push(`${spot.record.inText}${spot.pointer}`);
  }
  const found = new Map([...pointersIn].map(([text, pointers]) => [text, locatePointers(text, pointers)]));
  return spots.map((spot) => {
    if (!("record" in spot)) return spot;
    const place = found.get(spot.record.text)?.shift();
    const { line = 1, column = 1 } = place ?? {};
    return { at: pointerOf(spot), line: spot.record.line + line - 1, column };
  });
}

/** Into the source. */
export function pointerOf(spot: Spot): string {
  return "record" in spot ? `${spot.record.at}${spot.pointer}` : spot.at;
}

function placeOfSpot(spot: Spot): Required<Place> {
  return "record" in spot ? placeOf(spot.record, spot.pointer) : spot;
}
