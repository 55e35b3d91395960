import type { Dialect, JsonRecord } from "../../core/dialect.js";
import type { KnownShapes } from "../../core/records/known-shapes.js";
import { recordReader, type SourceRecord, type TextStart } from "../read.js";
import { safeKey } from "./safe-name.js";
import { parseShapes, type ShapeTable } from "./shape-list.js";
import { type ShapeVisitor, walkShapes } from "./walk.js";

/** A field, type or value that a dialect does not know. It has no content. */
export interface UnknownShape {
  /** The kind of the record: `user`, `event_msg`. */
  kind: string;
  /** The path in the record; empty for an unknown kind of record. */
  path: string;
  /** A JSON type, or the quoted value of a field with a fixed set of values. */
  type: string;
  count: number;
  /** The pointer of the first record that has it; in a file of lines, also its line. */
  at: string;
  line?: number;
}

export interface Drifted {
  /** In the order of their first places. */
  shapes: UnknownShape[];
  /** Occurrences of further shapes that are not listed. */
  more: number;
  /** Texts that could not be read: lines that are not JSON objects. */
  unread: number;
}

/** A file of another format could have any number of shapes. */
const MOST_SHAPES = 500;

/** Finds the shapes that a dialect does not know. Files of lines are read one record at a time. */
export async function findUnknownShapes(
  source: AsyncIterable<Uint8Array>,
  { framing }: Dialect,
  known: KnownShapes,
  start?: TextStart,
): Promise<Drifted> {
  const finder = new ShapeFinder(known);
  const add = ({ value, at, line }: SourceRecord) =>
    finder.add(value, framing.kind === "document" ? { at } : { at, line });
  let unread = 0;
  const onBad = () => {
    unread++;
  };
  // Frames are examined as they were written.
  const lines = framing.kind === "frames" ? ({ kind: "lines" } as const) : framing;
  const reader = recordReader(lines, { onBad, start });
  for await (const chunk of source) for (const record of reader.push(chunk)) add(record);
  for (const record of reader.finish()) add(record);
  return { shapes: [...finder.unknown.values()], more: finder.more, unread };
}

class ShapeFinder implements ShapeVisitor {
  readonly unknown = new Map<string, UnknownShape>();
  more = 0;
  readonly #known: KnownShapes;
  readonly #table: ShapeTable;
  readonly #containers: ReadonlySet<string>;
  #place: Pick<UnknownShape, "at" | "line"> = { at: "" };

  constructor(known: KnownShapes) {
    this.#known = known;
    this.#table = parseShapes(known.objects);
    this.#containers = containersIn(this.#table);
  }

  add(record: JsonRecord, place: Pick<UnknownShape, "at" | "line">): void {
    this.#place = place;
    walkShapes(record, this.#known, this);
  }

  visitObject(path: string, parent?: string): void {
    // In an object of an unknown kind, the field with this object has been reported.
    const isReported = !path.endsWith(">") && parent !== undefined && !this.#table.has(parent);
    if (!this.#table.has(path) && !isReported) this.#report(path, "object");
  }

  visitField(path: string, key: string, type: string): boolean {
    const fields = this.#table.get(path);
    const types = fields?.get(key);
    if (types?.has(type) || (type === "[]" && hasArray(types))) return true;
    this.#report(`${path}.${safeKey(key)}`, type);
    // The keys below an unknown field could be content. In an object of an unknown kind, a field can have a known name.
    return fields === undefined && this.#containers.has(`${key} ${type}`);
  }

  #report(path: string, type: string): void {
    const id = `${path} ${type}`;
    const shape = this.unknown.get(id);
    if (shape !== undefined) shape.count++;
    else if (this.unknown.size >= MOST_SHAPES) this.more++;
    else this.unknown.set(id, { ...splitPath(path), type, count: 1, ...this.#place });
  }
}

function hasArray(types: ReadonlySet<string> | undefined): boolean {
  return types !== undefined && [...types].some((type) => type.endsWith("[]"));
}

/** The names and types of the fields that contain objects of known kinds: `message object`. */
function containersIn(table: ShapeTable): Set<string> {
  const fields = [...table.values()].flatMap((object) => [...object]);
  return new Set(
    fields.flatMap(([name, types]) =>
      [...types].filter((type) => type.startsWith("object")).map((type) => `${name} ${type}`),
    ),
  );
}

/** `<user>.message.id` → kind `user`, path `message.id`. */
function splitPath(path: string): { kind: string; path: string } {
  const end = path.indexOf(">");
  return { kind: path.slice(1, end), path: path.slice(end + 2) };
}
