import type { Person } from "../../channels/types.js";
import { asciiJson } from "../../core/json/visible.js";
import { plainLine } from "../sessions/plain.js";

const NAME_COLUMNS = 40;

/** `Ann (7)`: the name is what they call themselves, and must do nothing to the terminal. */
export function shownPerson({ id, name }: Person): string {
  const shown = name === undefined ? "" : plainLine(name, NAME_COLUMNS);
  return shown === "" ? shownId(id) : `${shown} (${shownId(id)})`;
}

/** An id that only looks like another one, such as `boss ` or one with a Cyrillic letter, is quoted and escaped. */
function shownId(id: string): string {
  return /^[!-~]+$/.test(id) ? id : asciiJson(id);
}
