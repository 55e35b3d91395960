import type { Person } from "../../channels/types.js";
import { asciiJson } from "../../core/json/visible.js";
import { plainLine } from "../sessions/plain.js";

const NAME_COLUMNS = 40;

/** `Ann (7)`. The name is untrusted. */
export function shownPerson({ id, name }: Person): string {
  const shown = name === undefined ? "" : plainLine(name, NAME_COLUMNS);
  return shown === "" ? shownId(id) : `${shown} (${shownId(id)})`;
}

/** Quotes and escapes ids that only look like another, such as `boss ` or one with a Cyrillic letter. */
function shownId(id: string): string {
  return /^[!-~]+$/.test(id) ? id : asciiJson(id);
}
