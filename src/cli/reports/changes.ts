import type { Change, repair } from "../../convert/repair.js";
import { plainJson } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { shownLine } from "../terminal/shown-text.js";
import { counted } from "../terminal/table.js";

type Unplaced = Awaited<ReturnType<typeof repair>>["unplaced"];

/**
 * A change made by `repair`:
 *
 *     session.jsonl:3:18  the timestamp is in milliseconds  openclaw/seconds
 *     - 1740000000
 *     + 1740000000000
 */
export function changeLines(change: Change, name: string, paint: Paint): string[] {
  const { at, line, column, code, what, before, after } = change;
  const place = line === undefined ? at : `${line}:${column ?? 1}`;
  return [
    `${paint("bold", `${name}:${place}`)}  ${what}  ${paint("dim", code)}`,
    ...(before === undefined ? [] : [paint("red", `- ${glimpse(plainJson(before))}`)]),
    ...(after === undefined ? [] : [paint("green", `+ ${glimpse(plainJson(after))}`)]),
  ].map(shownLine);
}

/** Records that fit nowhere in the output, and the file they were written to, if any. */
export function unplacedLines(unplaced: Unplaced, file: string | undefined): string[] {
  if (unplaced.length === 0) return [];
  const count = `${counted(unplaced.length, "line")} could not be placed`;
  if (file !== undefined) return [`${count}; see ${file}`];
  return [`${count}:`, ...unplaced.map(({ line, text, why }) => `  line ${line}: ${why}: ${glimpse(text)}`)];
}

const GLIMPSE = 160;

function glimpse(text: string): string {
  return text.length > GLIMPSE ? `${text.slice(0, GLIMPSE)}…` : text;
}
