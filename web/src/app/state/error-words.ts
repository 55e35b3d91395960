import { DragomanError } from "dragoman/core";

/** What went wrong, for people: the error's own words, and what can be done about it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof DragomanError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "client/disconnected") return "The connection was lost before this was done. Try again.";
  const { message } = error;
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
  return sentence;
}
