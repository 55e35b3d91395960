import { wrap } from "../../markdown/word-wrap.js";
import { plainJson } from "../sessions/plain.js";
import { columnsOf } from "./columns.js";
import { shownLine } from "./shown-text.js";

/**
 * Prints an error as one line with its place and hint, which a terminal gets wrapped by words, or as JSON: `{"error":{…}}`.
 * Usage errors point to the command's help.
 */
export function reportError(error: unknown, command: string | undefined, asJson: boolean): void {
  if (asJson) process.stderr.write(`${plainJson({ error: errorFields(error) })}\n`);
  else {
    const line = `dragoman: ${shownLine(describeError(error, command))}`;
    const columns = columnsOf(process.stderr);
    process.stderr.write(`${columns === undefined ? line : wrap(line, columns).join("\n")}\n`);
  }
  if (process.env["DRAGOMAN_DEBUG"] !== undefined && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
}

/** 2 for unusable input and wrong usage, 70 for internal errors. */
export function exitCodeOf(error: unknown): number {
  return isKnown(error) ? 2 : 70;
}

export function describeError(error: unknown, command?: string): string {
  if (!isKnown(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return `internal error: ${message} (run again with DRAGOMAN_DEBUG=1 for details)`;
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

/** An error for programs. */
export function errorFields(error: unknown): object {
  if (!isKnown(error)) {
    return { code: "internal", message: error instanceof Error ? error.message : String(error) };
  }
  const { code, message, at, line, column, hint } = error;
  return { code, message, at, line, column, hint };
}

interface KnownError extends Error {
  code: string;
  at?: string;
  line?: number;
  column?: number;
  hint?: string;
}

/** By name: importing the class would load the model even for `--version`. */
function isKnown(error: unknown): error is KnownError {
  return error instanceof Error && error.name === "DragomanError";
}
