import { DragomanError } from "../core/error.js";
import { nearestText } from "./nearest-text.js";

export interface Replacement {
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

const MAX_LENGTH = 100_000_000;
const MAX_SHOWN_PLACES = 10;

/**
 * Applies replacements in order; each must match exactly, and once unless `replace_all` is set.
 * In a text whose lines all end in CRLF, a replacement's newlines mean CRLF.
 */
export function applyReplacements(
  text: string,
  edits: readonly Replacement[],
): { text: string; replaced: number } {
  const crlf = /\r\n/.test(text) && !/(?<!\r)\n/.test(text);
  const lineEndings = (part: string) => (crlf ? part.replace(/\r?\n/g, "\r\n") : part);
  let replaced = 0;
  let result = text;
  for (const [index, { old_string, new_string, replace_all = false }] of edits.entries()) {
    const at = `/edits/${index}`;
    const [old, replacement] = [lineEndings(old_string), lineEndings(new_string)];
    if (old === "") throw badEdit("old_string is empty; to create or replace a whole file use write", at);
    if (old === replacement) throw badEdit("old_string and new_string are the same", at);
    const parts = result.split(old);
    if (parts.length === 1) throw badEdit(`old_string is not in the file: ${nearestText(result, old)}`, at);
    if (!replace_all) refuseAmbiguous(result, old, at);
    if (result.length + (parts.length - 1) * (replacement.length - old.length) > MAX_LENGTH) {
      throw new DragomanError("tools/too-large", "the text would become too large", { at });
    }
    result = parts.join(replacement);
    replaced += parts.length - 1;
  }
  return { text: result, replaced };
}

function badEdit(message: string, at: string): DragomanError {
  return new DragomanError("tools/bad-edit", message, { at });
}

/** Overlapping matches count too: they are ambiguous as well. */
function refuseAmbiguous(text: string, old: string, at: string): void {
  const lines: number[] = [];
  for (let place = text.indexOf(old); place !== -1; place = text.indexOf(old, place + 1)) {
    lines.push(text.slice(0, place).split("\n").length);
    if (lines.length > MAX_SHOWN_PLACES) break;
  }
  if (lines.length === 1) return;
  const [times, shown] =
    lines.length > MAX_SHOWN_PLACES
      ? [`more than ${MAX_SHOWN_PLACES}`, `${lines.slice(0, MAX_SHOWN_PLACES).join(", ")}, …`]
      : [lines.length, lines.join(", ")];
  throw badEdit(
    `old_string is in the file ${times} times (lines ${shown}): include more of the text around it, or set replace_all`,
    at,
  );
}
