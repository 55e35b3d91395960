import { HOME_SOURCE } from "../../log/catalogue/types.js";
import type { Source } from "../../runtime/sources/source.js";
import { usageError } from "../arguments.js";
import type { SessionsHere } from "./at-home.js";

/** The sources that `--source` selects. */
export interface ChosenSources {
  /** Whether the home is one of them. */
  home: boolean;
  others: readonly Source[];
}

/** Reads `--source`: the name of a source, or `all`. */
export async function chosenSources(here: SessionsHere, asked: string): Promise<ChosenSources> {
  if (asked === HOME_SOURCE) return { home: true, others: [] };
  const sources = await here.sources();
  if (asked === "all") return { home: true, others: sources };
  const source = sources.find(({ name }) => name === asked);
  if (source !== undefined) return { home: false, others: [source] };
  const names = ["all", HOME_SOURCE, ...sources.map(({ name }) => name)];
  throw usageError(`unknown source "${asked}"; the sources are ${names.join(", ")}`);
}

/** The names of the selected sources, after indexing what is new in them. */
export async function indexChosen(here: SessionsHere, asked: string): Promise<string[]> {
  const { home, others } = await chosenSources(here, asked);
  await here.index(others);
  return [...(home ? [HOME_SOURCE] : []), ...others.map(({ name }) => name)];
}
