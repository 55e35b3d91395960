import { action, type CommandGroup, type Declaration } from "../declaration.js";
import { json } from "../options.js";

export const copyCommand = {
  name: "store copy",
  summary: "copy sessions, media files, usage, tokens and channel accounts to another store",
  words: ["FROM", "TO"],
  options: { json: json("{sessions, bytes, blobs, kept}") },
  notes: [
    "FROM and TO are home folders or postgres:// addresses. Stop the gateways of both first. A copy that was interrupted continues when the command is run again.",
  ],
  examples: ["dragoman store copy ~/.dragoman postgres://dragoman@db/dragoman"],
} as const satisfies Declaration;

export const checkCommand = {
  name: "store check",
  summary: "compare sessions, media files and usage of two stores, byte for byte",
  words: ["ONE", "OTHER"],
  options: { json: json("{same, differences: [{name, what}]}") },
  notes: ["ONE and OTHER are home folders or postgres:// addresses. Exits with 1 if the stores differ."],
  examples: ["dragoman store check ~/.dragoman postgres://dragoman@db/dragoman"],
} as const satisfies Declaration;

export const storeCommand: CommandGroup = {
  name: "store",
  summary: "copy and compare stores: files, or a PostgreSQL database",
  examples: ["dragoman store copy ~/.dragoman postgres://dragoman@db/dragoman"],
  subcommands: [
    action(copyCommand, () => import("./copy.js")),
    action(checkCommand, () => import("./check.js")),
  ],
};
