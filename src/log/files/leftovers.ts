import { join } from "node:path";
import { leftoversIn, sweepFolder } from "./aside.js";
import { isUnwritable } from "./disk-error.js";
import { entriesOf } from "./folder.js";
import { agentsFolder } from "./session-files.js";

/** The paths of unfinished files and folders that killed processes have left in a home. */
export async function leftovers(home: string): Promise<string[]> {
  const left: string[] = [];
  for (const folder of await foldersOf(home)) {
    for (const name of await leftoversIn(folder)) left.push(join(folder, name));
  }
  return left;
}

/** Removes them. A read-only home stays as it is. */
export async function sweepHome(home: string): Promise<void> {
  try {
    for (const folder of await foldersOf(home)) await sweepFolder(folder);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
  }
}

/** The folders with temporary names. An agent's workspace is not ours to sweep. */
async function foldersOf(home: string): Promise<string[]> {
  const agents = await foldersIn(agentsFolder(home));
  const channels = await foldersIn(join(home, "channels"));
  const accounts = await Promise.all(channels.map(foldersIn));
  return [
    home,
    ...agents.flatMap((agent) => [agent, join(agent, "sessions"), join(agent, "keys")]),
    ...accounts.flat(),
  ];
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
