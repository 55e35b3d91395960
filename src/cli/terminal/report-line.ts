import { shownText } from "./shown-text.js";

/** Prints a line for the user to standard error; results go to standard output instead. */
export function reportLine(line: string): void {
  process.stderr.write(`${shownText(line)}\n`);
}
