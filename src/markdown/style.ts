/** Delimiters around a text. Marks with the same delimiters are the same; where they meet, they are written once. */
export interface Mark {
  open: string;
  close: string;
  /** Readers see the delimiters themselves. */
  isVisible?: true;
  /** `text`: invalid next to white space; `words`: also inside a word or across lines. */
  needs?: "text" | "words";
  /** The platform splits it where an inner mark starts or ends, and counts the parts. */
  isCut?: true;
  isLink?: true;
}

/** A platform's markup. */
export interface Style {
  /** The maximum length of a message in UTF-16 units. */
  units: number;
  /** Whether that counts visible text only, or also marks and escapes. */
  counts: "visible" | "written";
  /** The maximum number of marks in a message. */
  maxMarks: number;

  /** Escapes text so that the platform shows it unchanged. */
  escape(text: string): string;
  /** The same for a bare URL that readers can open. */
  escapeAddress(url: string): string;
  /** The same for code. */
  escapeCode(text: string): string;
  /** Replaces what cannot be escaped in code. */
  codeText(text: string, place: "block" | "line"): string;
  /** The line break inside a quotation. */
  quotedLine: string;

  bold?: Mark;
  italic?: Mark;
  strike?: Mark;
  /** Hides text until the reader reveals it. */
  spoiler?: Mark;
  quote?: Mark;
  heading(level: number, place: "block" | "item"): Mark | undefined;
  code(text: string): Mark | undefined;
  /** `line` is the line break; inside a quotation it includes the prefix. */
  codeBlock(language: string | undefined, line: string): Mark | undefined;
  /** Undefined if the URL must be written after the label. */
  link(url: string, label: string): Mark | undefined;
  /** Code can be inside no other marks than quotations. */
  codeStandsAlone: boolean;

  bullet(depth: number): string;
  task: { open: string; done: string };
}

export function isSameMark(left: Mark | undefined, right: Mark | undefined): boolean {
  return left?.open === right?.open && left?.close === right?.close;
}

/** The number of outer marks that two texts share. */
export function sharedMarks(left: readonly Mark[], right: readonly Mark[]): number {
  let count = 0;
  while (count < left.length && count < right.length && isSameMark(left[count], right[count])) count++;
  return count;
}
