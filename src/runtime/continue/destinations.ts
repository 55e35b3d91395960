import { join } from "node:path";
import { mainFolder } from "../sources/program-places.js";
import type { Destination, ProgramName, StoreOptions } from "./destination.js";
import { dragoman } from "./dragoman.js";
import { fileDestination } from "./file-destination.js";
import { claudeFolder, dashed, localStamp, piFolder, utcStamp } from "./file-names.js";
import { geminiFolder } from "./gemini-folder.js";

/** How each program stores sessions and opens them. Adding one is a line here and its name in `programNames`. */
export const destinations: Record<ProgramName, Destination> = {
  "claude-code": fileDestination({
    dialect: "claude-code",
    root: folderOf("claude-code"),
    file: ({ folder, id }) => join(claudeFolder(folder), `${id}.jsonl`),
    commands: (id) => [["claude", "--resume", id]],
    loadAdapt: async () => (await import("../../dialects/claude-code/line-times.js")).separateLines,
  }),
  codex: fileDestination({
    dialect: "codex",
    root: folderOf("codex"),
    file: ({ id, now }) => {
      const stamp = localStamp(now);
      return join(...stamp.slice(0, 10).split("-"), `rollout-${stamp}-${id}.jsonl`);
    },
    commands: (id) => [["codex", "resume", id]],
    thinkingOf: "openai-responses",
    sendsCallIds: true,
  }),
  // opencode keeps sessions in a database, and imports files.
  opencode: fileDestination({
    dialect: "opencode",
    root: ({ home }) => join(home, "continued"),
    file: ({ id }) => `${id}.json`,
    commands: (id, path) => [
      ["opencode", "import", path],
      ["opencode", "--session", id],
    ],
    id: (uuid) => `ses_${uuid.replaceAll("-", "")}`,
    ownIds: true,
    anew: true,
    sendsCallIds: true,
  }),
  "gemini-cli": fileDestination({
    dialect: "gemini-cli",
    root: folderOf("gemini-cli"),
    file: async ({ root, folder, id, now }) =>
      join(
        await geminiFolder(folder, root),
        "chats",
        `session-${utcStamp(now).slice(0, 16)}-${id.slice(0, 8)}.jsonl`,
      ),
    commands: (id) => [["gemini", "--resume", id]],
    // It stores results twice and would send both, and it deletes sessions with an old time in a second header.
    anew: true,
  }),
  "qwen-code": fileDestination({
    dialect: "qwen-code",
    root: folderOf("qwen-code"),
    file: ({ folder, id }) => join(dashed(folder), "chats", `${id}.jsonl`),
    commands: (id) => [["qwen", "--resume", id]],
    sendsCallIds: true,
  }),
  pi: fileDestination({
    dialect: "pi",
    root: folderOf("pi"),
    file: ({ folder, id, now }) => join(piFolder(folder), `${utcStamp(now)}_${id}.jsonl`),
    commands: (id) => [["pi", "--session", id]],
  }),
  dragoman,
};

function folderOf(name: string): (options: StoreOptions) => string {
  return ({ env, userHome }) => mainFolder(name, env, userHome);
}
