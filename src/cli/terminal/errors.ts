import { shownLine } from "./shown-text.js";

/** Prints an error as one line in plain words, with its place and what to do; wrong usage leads to the command's help. */
export function reportError(error: unknown, command?: string): void {
  process.stderr.write(`dragoman: ${shownLine(describeError(error, command))}\n`);
  if (process.env["DRAGOMAN_DEBUG"] !== undefined && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
}

/** Unusable input and wrong usage are 2; what we did not foresee is ours, and 70. */
export function exitCodeOf(error: unknown): number {
  return isKnown(error) ? 2 : 70;
}

/** What is wrong, where, and what to do, in one line. */
export function describeError(error: unknown, command?: string): string {
  if (!isKnown(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return `internal error: ${message} (run again with DRAGOMAN_DEBUG=1 for the details)`;
  }
  const place = [
    error.line === undefined ? "" : `line ${error.line}`,
    error.column === undefined ? "" : `column ${error.column}`,
    error.at === undefined || error.at === "" ? "" : `at ${error.at}`,
  ].filter((part) => part !== "");
  const where = place.length > 0 ? `${place.join(", ")}: ` : "";
  const usage =
    command !== undefined && error.code === "cli/usage" ? `see \`dragoman ${command} --help\`` : undefined;
  const hint = error.hint ?? usage;
  return `${where}${error.message}${hint === undefined ? "" : `; ${hint}`} [${error.code}]`;
}

interface KnownError extends Error {
  code: string;
  at?: string;
  line?: number;
  column?: number;
  hint?: string;
}

/** By name: importing the class here would load the model for `--version`. */
function isKnown(error: unknown): error is KnownError {
  return error instanceof Error && error.name === "DragomanError";
}
