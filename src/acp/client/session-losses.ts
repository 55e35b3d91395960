import type { Loss } from "../../core/types.js";
import type { OpenSession } from "./foreign-session.js";

/** Holds for every session of a program. */
export const UNKNOWN_CONTEXT = {
  at: "",
  what: "the context of the model",
  why: "the agent program keeps it to itself; the log has what the program reports, and tool results as it shows them",
  severity: "approximated",
} as const;

const FORGOTTEN = {
  at: "",
  what: "earlier messages",
  why: "the agent program could not resume its session, and continues in a new one without them",
  severity: "dropped",
} as const;

const DIFFERENT = {
  at: "",
  what: "answers in the program's own session",
  why: "the agent program replays other answers than the log has",
  severity: "approximated",
} as const;

/** How the program's session differs from ours when it is opened. A new one lacks everything. */
export function lossesOf({ isNew, replayed }: OpenSession, answered: string): Loss[] {
  if (isNew) return answered === "" ? [] : [FORGOTTEN];
  // A replay may begin later than our log, because the program has compacted its session.
  return replayed === undefined || endsWithText(answered, replayed) ? [] : [DIFFERENT];
}

/** Whether a text ends with another one, apart from white space. */
export function endsWithText(text: string, end: string): boolean {
  return withoutSpace(text).endsWith(withoutSpace(end));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
