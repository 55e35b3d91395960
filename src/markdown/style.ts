/** What encloses a text. Two marks with the same beginning and end are the same, and are written once where they meet. */
export interface Mark {
  open: string;
  close: string;
  /** The signs themselves are what a reader sees, and not something that they stand for. */
  seen?: true;
  /** It is no mark beside white space; or not in the middle of a word and over several lines either. */
  needs?: "text" | "words";
  /** The platform cuts it where another within it begins or ends, and counts the parts. */
  isCut?: true;
  isLink?: true;
}

/** How a platform writes what the document says. */
export interface Style {
  /** How many units of UTF-16 a message may have. */
  units: number;
  /** Which of them: those that are seen, or all that are written, marks and escapes too. */
  counts: "seen" | "written";
  /** How many marks a message may have. */
  maxMarks: number;

  /** So that a text means itself. */
  escape(text: string): string;
  /** The same for an address that is to be pressed as it is. */
  escapeAddress(url: string): string;
  /** The same for a text between marks of code. */
  escapeCode(text: string): string;
  /** Code with what no escape can help changed. */
  codeText(text: string, place: "block" | "line"): string;
  /** What is between two lines of a quotation. */
  quotedLine: string;

  bold?: Mark;
  italic?: Mark;
  strike?: Mark;
  /** Hides a text until the reader asks for it. */
  spoiler?: Mark;
  quote?: Mark;
  heading(level: number, place: "block" | "item"): Mark | undefined;
  code(text: string): Mark | undefined;
  /** `line` begins a line: within a quotation there is more to it than the line feed. */
  codeBlock(language: string | undefined, line: string): Mark | undefined;
  /** Undefined where the address has to be written behind the text. */
  link(url: string, label: string): Mark | undefined;
  /** Marks of code are within no others but those of quotations. */
  codeStandsAlone: boolean;

  bullet(depth: number): string;
  task: { open: string; done: string };
}

export function isSameMark(left: Mark | undefined, right: Mark | undefined): boolean {
  return left?.open === right?.open && left?.close === right?.close;
}

/** How many marks, from the outermost, two texts have in common. */
export function sharedMarks(left: readonly Mark[], right: readonly Mark[]): number {
  let count = 0;
  while (count < left.length && count < right.length && isSameMark(left[count], right[count])) count++;
  return count;
}
