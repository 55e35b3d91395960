import type { Severity } from "../../core/dialect.js";
import type { Finding } from "../report.js";

/** What can be wrong with the meaning of a transcript in any dialect, and what to do about it. */
export const catalogue = {
  "pairing/unanswered": {
    severity: "error",
    hint: "`dragoman repair` adds a result that says none was recorded",
  },
  "pairing/orphan-result": {
    severity: "error",
    hint: "restore the call it answers; `dragoman repair` sets the result aside",
  },
  "pairing/early-result": { severity: "error", hint: "`dragoman repair` moves it behind its call" },
  "pairing/late-result": { severity: "error", hint: "`dragoman repair` moves it back to its call" },
  "pairing/duplicate-result": {
    severity: "error",
    hint: "`dragoman repair` keeps the first, drops exact copies and sets different ones aside",
  },
  "pairing/duplicate-id": {
    severity: "error",
    hint: "`dragoman repair` gives each call an id of its own",
  },
  "pairing/empty-id": { severity: "error", hint: "`dragoman repair` gives call and result an id" },
  "pairing/name-mismatch": {
    severity: "warning",
    hint: "`dragoman repair` writes the name that the call has",
  },
  "content/blank-text": {
    severity: "warning",
    hint: "remove it; `dragoman repair --for anthropic` does",
  },
  "content/empty-message": {
    severity: "warning",
    hint: "add what is missing, or remove the message if there was nothing; `dragoman repair --for anthropic` removes it",
  },
  "content/arguments-error": {
    severity: "warning",
    hint: "do not run the call: its arguments are not what the model meant",
  },
  "content/bad-signature": {
    severity: "warning",
    hint: "the provider refuses the block; remove the signature, or the block if the signature is all there is",
  },
  "content/lone-surrogate": {
    severity: "warning",
    hint: "the text was cut inside a character; `dragoman repair --for anthropic` replaces the half with U+FFFD",
  },
  "content/bad-base64": {
    severity: "error",
    hint: "encode the bytes as base64, with padding, without line breaks or a data: prefix",
  },
  "content/mime-mismatch": {
    severity: "warning",
    hint: "`dragoman repair` writes the type that the bytes have",
  },
  "time/backwards": {
    severity: "warning",
    hint: "check the clock or the order; messages are read in the order of the file",
  },
  "tree/duplicate-id": { severity: "error", hint: "give each message an id of its own" },
  "tree/missing-parent": {
    severity: "error",
    hint: "restore the message; where there are no branches `dragoman repair` links to the message before",
  },
  "tree/cycle": {
    severity: "error",
    hint: "let one of them follow a message outside of the circle, or null",
  },
  "session/misplaced": {
    severity: "warning",
    hint: "a session begins a file; cut the file here into two",
  },
  "json/inexact-number": {
    severity: "warning",
    hint: "write it as a string if every digit matters",
  },
  "json/duplicate-key": {
    severity: "warning",
    hint: "keep each value under a key of its own; other readers may take the first",
  },
  "framing/several-lines": {
    severity: "warning",
    hint: "write it on one line, as other readers expect; `dragoman repair` does",
  },
  "framing/not-kept": { severity: "warning", hint: "make sure that nothing is missing" },
} as const satisfies Record<string, { severity: Severity; hint: string }>;

export type MeaningCode = keyof typeof catalogue;

export function finding(code: MeaningCode, message: string): Finding {
  return { code, message, ...catalogue[code] };
}
