import type { Severity } from "../../core/dialect.js";
import type { Finding } from "../report.js";

const error = (hint: string) => ({ severity: "error" as const, hint });
const warning = (hint: string) => ({ severity: "warning" as const, hint });

/** Problems a transcript in any dialect can have, with a suggested fix. */
export const catalogue = {
  "pairing/unanswered": error("`dragoman repair` adds a result stating that none was recorded"),
  "pairing/orphan-result": error("restore the call it answers; `dragoman repair` sets the result aside"),
  "pairing/early-result": error("`dragoman repair` moves it after its call"),
  "pairing/late-result": error("`dragoman repair` moves it back to its call"),
  "pairing/duplicate-result": error(
    "`dragoman repair` keeps the first, drops exact copies and sets different ones aside",
  ),
  "pairing/duplicate-id": error("`dragoman repair` gives each call a unique id"),
  "pairing/empty-id": error("`dragoman repair` gives the call and its result an id"),
  "pairing/name-mismatch": warning("`dragoman repair` writes the call's tool name"),
  "content/blank-text": warning("remove it; `dragoman repair --for anthropic` does"),
  "content/empty-message": warning(
    "restore the content, or remove the message; `dragoman repair --for anthropic` removes it",
  ),
  "content/arguments-error": warning("do not run the call: its arguments are not what the model wrote"),
  "content/bad-signature": warning(
    "the provider refuses the block; remove the signature, or the block if it has nothing else",
  ),
  "content/lone-surrogate": warning(
    "the text was cut inside a character; `dragoman repair --for anthropic` replaces the half with U+FFFD",
  ),
  "content/bad-base64": error(
    "encode the bytes as base64, with padding, without line breaks or a data: prefix",
  ),
  "content/mime-mismatch": warning("`dragoman repair` writes the type of the bytes"),
  "time/backwards": warning("check the clock or the order; messages are read in the order of the file"),
  "tree/duplicate-id": error("give each message a unique id"),
  "tree/missing-parent": error(
    "restore the message; without branches, `dragoman repair` links to the message before it",
  ),
  "tree/cycle": error("set one parentId to a message outside the circle, or to null"),
  "session/misplaced": warning("a session must be the first record; split the file here"),
  "json/inexact-number": warning("write it as a string if every digit matters"),
  "json/duplicate-key": warning("give each value its own key; other readers may use the first one"),
  "framing/several-lines": warning("write it on one line, as other readers expect; `dragoman repair` does"),
  "framing/not-kept": warning("check that nothing is missing"),
} satisfies Record<string, { severity: Severity; hint: string }>;

export type MeaningCode = keyof typeof catalogue;

export function finding(code: MeaningCode, message: string): Finding {
  return { code, message, ...catalogue[code] };
}
