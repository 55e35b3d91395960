import type { Change, Rows, SessionRow } from "./rows.js";

/** Of the file and its segments. An index of another version is rebuilt. */
const VERSION = 4;

/** The file is not an index, or a part of it cannot be read. */
export class DamagedIndex extends Error {}

/** The end of changes that belong together. Changes without it were not written completely, and do not count. */
export const END = '["end"]';

/** The first line; the nonce changes when the file is written anew. */
export function headerLine(nonce: string): string {
  return JSON.stringify(["dragoman-index", VERSION, nonce]);
}

/** Reads the nonce; throws if the index has another version. */
export function nonceIn(line: string): string {
  const [name, version, nonce] = arrayIn(line);
  if (name !== "dragoman-index" || typeof nonce !== "string") throw new DamagedIndex("it is not an index");
  if (version !== VERSION) throw new DamagedIndex(`it has version ${version}, not ${VERSION}`);
  return nonce;
}

/**
 *     ["session",7,"dragoman","/home/ann/…",…]   {"summary":…}   [{"day":…}]
 *     ["segment",3,3,2000,812345]
 *     ["end"]
 */
export function lineOf(change: Change): string {
  switch (change.kind) {
    case "session":
      return `${JSON.stringify(cellsOf(change.row))}\t${change.row.state}\t${change.row.spent}`;
    case "drop":
      return JSON.stringify(["drop", change.n, Number(change.isDeleted)]);
    case "segment": {
      const { n, place, messages, bytes } = change.row;
      return JSON.stringify(["segment", n, place, messages, bytes]);
    }
    case "forget":
    case "replaced":
      return JSON.stringify([change.kind, change.n]);
    case "complete":
      return '["complete"]';
  }
}

function cellsOf(row: SessionRow): unknown[] {
  const { n, source, path, id, agent, key = null, foreign, created, active, archived } = row;
  const { parent = null, folder = null, inode, position, size, modified } = row;
  return [
    ...["session", n, source, path, id, agent, key, Number(foreign), created, active, Number(archived)],
    ...[parent, folder, inode, position, size, modified],
  ];
}

/** A line's change. */
export function changeIn(line: string): Change {
  const [head = "", state, spent] = line.split("\t");
  const [kind, ...cells] = arrayIn(head);
  const number = (at: number) => numberIn(cells[at]);
  switch (kind) {
    case "session":
      if (state === undefined || spent === undefined) throw new DamagedIndex("a session is not whole");
      return { kind, row: { ...rowIn(cells), state, spent } };
    case "drop":
      return { kind, n: number(0), isDeleted: number(1) === 1 };
    case "segment":
      return { kind, row: { n: number(0), place: number(1), messages: number(2), bytes: number(3) } };
    case "forget":
    case "replaced":
      return { kind, n: number(0) };
    case "complete":
      return { kind };
    default:
      throw new DamagedIndex("it has an unknown line");
  }
}

function rowIn(cells: readonly unknown[]): Omit<SessionRow, "state" | "spent"> {
  const [n, source, path, id, agent, key, foreign, created, active, archived, ...rest] = cells;
  const [parent, folder, inode, position, size, modified] = rest;
  return {
    ...{ n: numberIn(n), source: textIn(source), path: textIn(path), id: textIn(id), agent: textIn(agent) },
    ...{ key: textOrNone(key), foreign: foreign === 1, created: numberIn(created) },
    ...{ active: numberIn(active), archived: archived === 1, parent: textOrNone(parent) },
    ...{ folder: textOrNone(folder), inode: numberIn(inode), position: numberIn(position) },
    ...{ size: numberIn(size), modified: numberIn(modified) },
  };
}

function numberIn(value: unknown): number {
  if (typeof value === "number") return value;
  throw new DamagedIndex("a number is missing");
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  throw new DamagedIndex("a text is missing");
}

function textOrNone(value: unknown): string | undefined {
  return value === null ? undefined : textIn(value);
}

function arrayIn(line: string): unknown[] {
  const value = jsonIn(line);
  if (Array.isArray(value)) return value;
  throw new DamagedIndex("it has an unknown line");
}

/** The value of a JSON text in the index. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedIndex("a line is not JSON", { cause });
  }
}

/** All rows as changes. */
export function* changesOf(rows: Rows): Generator<Change> {
  for (const row of rows.sessions.values()) yield { kind: "session", row };
  for (const [n, isDeleted] of rows.gone) yield { kind: "drop", n, isDeleted };
  for (const row of rows.segments.values()) yield { kind: "segment", row };
  if (rows.isComplete) yield { kind: "complete" };
}
