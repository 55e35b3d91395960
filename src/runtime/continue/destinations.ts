import { join } from "node:path";
import { expandFolder } from "../sources/expand-folder.js";
import { programs } from "../sources/programs.js";
import type { Destination, ProgramName, StoreOptions } from "./destination.js";
import { dragoman } from "./dragoman.js";
import { fileDestination } from "./file-destination.js";
import { claudeFolder, piFolder, utcStamp } from "./file-names.js";

/** How each program stores sessions and opens them. Adding one is a line here and its name in `programNames`. */
export const destinations: Record<ProgramName, Destination> = {
  "claude-code": fileDestination({
    title: "Claude Code",
    dialect: "claude-code",
    root: folderOf("claude-code"),
    file: ({ folder, id }) => join(claudeFolder(folder), `${id}.jsonl`),
    commands: (id) => [["claude", "--resume", id]],
  }),
  pi: fileDestination({
    title: "pi",
    dialect: "pi",
    root: folderOf("pi"),
    file: ({ folder, id, now }) => join(piFolder(folder), `${utcStamp(now)}_${id}.jsonl`),
    commands: (id) => [["pi", "--session", id]],
  }),
  dragoman,
};

/** The folder in which a program keeps sessions: the first of those in which they are looked for. */
function folderOf(name: string): (options: StoreOptions) => string {
  const [root = ""] = programs[name]?.roots ?? [];
  return ({ env, userHome }) => expandFolder(root, env, userHome);
}
