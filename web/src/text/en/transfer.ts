import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

/** Continuing a session in another program, and saving it as a file. */
export const transfer = {
  continueIn: "Continue in…",
  continueTitle: (title: string) => `Continue “${title}” in another program`,
  program: "Program",
  folder: "Folder on the gateway's computer",
  missingFolder: (folder: string) =>
    `The session's folder ${folder} does not exist on the gateway's computer.`,
  copiesHere: "Creates a copy that you can continue here. The original is not changed.",
  writes: (program: string) =>
    `Writes a new session into ${program}'s folder on the gateway's computer. The original is not changed.`,
  continue: "Continue",
  written: (messages: number, program: string) =>
    `${plural(messages, { one: "# message was", other: "# messages were" })} written for ${program}. Open the session in a terminal on the gateway's computer:`,
  exportTitle: (title: string) => `Export “${title}”`,
  format: "Format",
  download: "Download",
  losses: {
    title: "What is lost or changed",
    none: "Nothing is lost.",
    columns: { count: "Times", what: "What", why: "Why" },
    severities: { dropped: "left out", approximated: "changed", synthesised: "made up" },
  },
};
