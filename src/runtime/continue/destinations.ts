import { join } from "node:path";
import type { Destination, ProgramName } from "./destination.js";
import { dragoman } from "./dragoman.js";
import { fileDestination } from "./file-destination.js";
import { claudeFolder, piFolder, utcStamp } from "./file-names.js";

/** How each program stores sessions and opens them. Adding one is a line here and its name in `programNames`. */
export const destinations: Record<ProgramName, Destination> = {
  "claude-code": fileDestination({
    title: "Claude Code",
    dialect: "claude-code",
    root: ({ env, userHome }) => join(env["CLAUDE_CONFIG_DIR"] || join(userHome, ".claude"), "projects"),
    file: ({ folder, id }) => join(claudeFolder(folder), `${id}.jsonl`),
    commands: (id) => [["claude", "--resume", id]],
  }),
  pi: fileDestination({
    title: "pi",
    dialect: "pi",
    root: ({ env, userHome }) => join(env["PI_CODING_AGENT_DIR"] || join(userHome, ".pi", "agent"), "sessions"),
    file: ({ folder, id, now }) => join(piFolder(folder), `${utcStamp(now)}_${id}.jsonl`),
    commands: (id) => [["pi", "--session", id]],
  }),
  dragoman,
};
