import { shownText } from "./shown-text.js";

/** Says something to the person at the keyboard; results go to standard output instead. */
export function tell(line: string): void {
  process.stderr.write(`${shownText(line)}\n`);
}
