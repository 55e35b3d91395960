import type { Limit } from "../../core/dialect.js";

/** Transcripts of other programs are not written. */
export const limits: readonly Limit[] = [
  { at: "", why: "a transcript of Cursor has only text, thinking and calls" },
];
