import type { Dialect, Problem, Severity } from "../core/dialect.js";
import type { Place } from "../core/error.js";
import { locatePointers } from "../core/json/locate.js";
import { formatPointer, resolvePointer } from "../core/json/pointer.js";
import type { SourceMessage } from "./decode.js";
import { inSource, type SourceRecord } from "./read.js";

/** A problem without its place. */
export interface Finding {
  /** `area/reason` */
  code: string;
  message: string;
  hint?: string;
  severity: Severity;
}

/** A known place, or a pointer into a record that is not located in its text yet. */
export type Spot = Required<Place> | { record: SourceRecord; pointer: string };

/** Follows the path into the record as far as record and message have the same shape. */
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
 * Locates findings and emits them as problems: in a file of lines after each record, in a document at the end, because
 * one walk through the text locates all of them.
 */
export class Report {
  readonly #onProblem: (problem: Problem) => void;
  readonly #dialect: Dialect;
  readonly #isDeferred: boolean;
  #queued: { spot: Spot; finding: Finding }[] = [];
  /** Places that callers already have; the next walk fills them in. */
  #detached: { spot: Spot; place: Required<Place> }[] = [];

  constructor(dialect: Dialect, onProblem: (problem: Problem) => void) {
    this.#onProblem = onProblem;
    this.#dialect = dialect;
    this.#isDeferred = dialect.framing.kind === "document";
  }

  add(spot: Spot, finding: Finding): void {
    this.#queued.push({ spot, finding: this.#hinted(finding) });
  }

  /** A format that is only read may be unable to represent what `repair` adds. */
  #hinted(finding: Finding): Finding {
    const { oneWay, title } = this.#dialect;
    const { hint } = finding;
    if (oneWay?.only !== "reads" || hint?.includes("`dragoman repair") !== true) return finding;
    return { ...finding, hint: `${hint}, unless a ${title} cannot represent the change` };
  }

  /** The same spot without its record, so that the record's text can be freed. */
  detach(spot: Spot): Spot {
    if (this.#isDeferred || !("record" in spot)) return spot;
    const place = { at: pointerOf(spot), line: 1, column: 1 };
    this.#detached.push({ spot, place });
    return place;
  }

  /** Call after each record. */
  endRecord(): void {
    if (!this.#isDeferred) this.finish();
  }

  finish(): void {
    const [detached, queued] = [this.#detached, this.#queued];
    if (detached.length === 0 && queued.length === 0) return;
    this.#detached = [];
    this.#queued = [];
    const places = placesOf([...detached, ...queued].map(({ spot }) => spot)).values();
    for (const { place } of detached) Object.assign(place, places.next().value);
    for (const { finding } of queued) {
      const { value: place } = places.next();
      if (place !== undefined) this.#onProblem({ ...place, ...finding });
    }
  }
}

/** Locates many spots, walking once through each text. */
export function placesOf(spots: readonly Spot[]): Required<Place>[] {
  const pointersIn = new Map<string, string[]>();
  for (const spot of spots) {
    if (!("record" in spot)) continue;
    const pointers = pointersIn.get(spot.record.text) ?? [];
    pointersIn.set(spot.record.text, pointers);
    pointers.push(`${spot.record.inText}${spot.pointer}`);
  }
  const found = new Map(
    [...pointersIn].map(([text, pointers]) => [text, locatePointers(text, pointers).values()]),
  );
  return spots.map((spot) => {
    if (!("record" in spot)) return spot;
    return { at: pointerOf(spot), ...inSource(found.get(spot.record.text)?.next().value, spot.record) };
  });
}

/** The spot's pointer into the source. */
export function pointerOf(spot: Spot): string {
  return "record" in spot ? `${spot.record.at}${spot.pointer}` : spot.at;
}
