import type { Severity } from "../../core/dialect.js";
import type { Finding } from "../report.js";

/** Problems a transcript in any dialect can have, with a suggested fix. */
export const catalogue = {
  "pairing/unanswered": {
    severity: "error",
    hint: "`dragoman repair` adds a result stating that none was recorded",
  },
  "pairing/orphan-result": {
    severity: "error",
    hint: "restore the call it answers; `dragoman repair` sets the result aside",
  },
  "pairing/early-result": { severity: "error", hint: "`dragoman repair` moves it after its call" },
  "pairing/late-result": { severity: "error", hint: "`dragoman repair` moves it back to its call" },
  "pairing/duplicate-result": {
    severity: "error",
    hint: "`dragoman repair` keeps the first, drops exact copies and sets different ones aside",
  },
  "pairing/duplicate-id": {
    severity: "error",
    hint: "`dragoman repair` gives each call a unique id",
  },
  "pairing/empty-id": { severity: "error", hint: "`dragoman repair` gives the call and its result an id" },
  "pairing/name-mismatch": {
    severity: "warning",
    hint: "`dragoman repair` writes the call's tool name",
  },
  "content/blank-text": {
    severity: "warning",
    hint: "remove it; `dragoman repair --for anthropic` does",
  },
  "content/empty-message": {
    severity: "warning",
    hint: "restore the content, or remove the message; `dragoman repair --for anthropic` removes it",
  },
  "content/arguments-error": {
    severity: "warning",
    hint: "do not run the call: its arguments are not what the model wrote",
  },
  "content/bad-signature": {
    severity: "warning",
    hint: "the provider refuses the block; remove the signature, or the block if it has nothing else",
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
    hint: "`dragoman repair` writes the type of the bytes",
  },
  "time/backwards": {
    severity: "warning",
    hint: "check the clock or the order; messages are read in the order of the file",
  },
  "tree/duplicate-id": { severity: "error", hint: "give each message a unique id" },
  "tree/missing-parent": {
    severity: "error",
    hint: "restore the message; without branches, `dragoman repair` links to the message before it",
  },
  "tree/cycle": {
    severity: "error",
    hint: "set one parentId to a message outside the circle, or to null",
  },
  "session/misplaced": {
    severity: "warning",
    hint: "a session must be the first record; split the file here",
  },
  "json/inexact-number": {
    severity: "warning",
    hint: "write it as a string if every digit matters",
  },
  "json/duplicate-key": {
    severity: "warning",
    hint: "give each value its own key; other readers may use the first one",
  },
  "framing/several-lines": {
    severity: "warning",
    hint: "write it on one line, as other readers expect; `dragoman repair` does",
  },
  "framing/not-kept": { severity: "warning", hint: "check that nothing is missing" },
} as const satisfies Record<string, { severity: Severity; hint: string }>;

export type MeaningCode = keyof typeof catalogue;

export function finding(code: MeaningCode, message: string): Finding {
  return { code, message, ...catalogue[code] };
}
