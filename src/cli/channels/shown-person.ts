import type { Person } from "../../channels/types.js";
import { plainLine } from "../sessions/plain.js";

const NAME_COLUMNS = 40;

/** `Ann (7)`: the name is what they call themselves, and must do nothing to the terminal. */
export function shownPerson({ id, name }: Person): string {
  const shown = name === undefined ? "" : plainLine(name, NAME_COLUMNS);
  return shown === "" ? plainLine(id) : `${shown} (${plainLine(id)})`;
}
