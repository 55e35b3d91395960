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
 * Applies replacements one after the other; each must match exactly, and once unless it says otherwise.
 * In a text whose lines all end in CRLF, the newlines of a replacement mean CRLF.
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
    const [old, replacement] = [lineEndings(old_string), lineEndings(new_string)];
    refuseNoop(old, replacement, `/edits/${index}`);
    const parts = result.split(old);
    if (parts.length === 1) throw noMatch(result, old, `/edits/${index}`);
    if (!replace_all) refuseAmbiguous(result, old, `/edits/${index}`);
    if (result.length + (parts.length - 1) * (replacement.length - old.length) > MAX_LENGTH) {
      throw new DragomanError("tools/too-large", "the text would become too large", {
        at: `/edits/${index}`,
      });
    }
    result = parts.join(replacement);
    replaced += parts.length - 1;
  }
  return { text: result, replaced };
}

function refuseNoop(old: string, replacement: string, at: string): void {
  if (old === "") {
    throw new DragomanError(
      "tools/bad-edit",
      "old_string is empty; to make or replace a whole file use write",
      {
        at,
      },
    );
  }
  if (old === replacement) {
    throw new DragomanError("tools/bad-edit", "old_string and new_string are the same", { at });
  }
}

function noMatch(text: string, old: string, at: string): DragomanError {
  return new DragomanError("tools/bad-edit", `old_string is not in the file: ${nearestText(text, old)}`, {
    at,
  });
}

/** Places that overlap count too: nobody can know which of them was meant. */
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
  throw new DragomanError(
    "tools/bad-edit",
    `old_string is in the file ${times} times (lines ${shown}): give more of the text around it, or set replace_all`,
    { at },
  );
}
