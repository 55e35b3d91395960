import type { ToolResultMessage } from "dragoman/core";
import type { Activity } from "./tool-activity.js";

export type ToolState =
  | "writing"
  | "asking"
  | "running"
  | "waiting"
  | "ended"
  | "done"
  | "failed"
  | "cancelled"
  | "unanswered";

/** The state of a call: from its result, or else from the run. */
export function toolState(
  result: ToolResultMessage | undefined,
  activity: Activity | undefined,
  busy: boolean,
): ToolState {
  if (result !== undefined) {
    if (!result.isError) return "done";
    return wasCancelled(result) ? "cancelled" : "failed";
  }
  if (activity?.state === "asking" || activity?.state === "running") return activity.state;
  if (!busy) return "unanswered";
  // Its result is stored when all calls of the turn have ended.
  return activity?.state === "ended" ? "ended" : "waiting";
}

/** Whether the agent ended the call because the run was stopped or interrupted by a crash. */
function wasCancelled({ content, details }: ToolResultMessage): boolean {
  const [first] = content;
  if (content.length === 1 && first?.type === "text" && first.text === "aborted") return true;
  if (typeof details !== "object" || details === null) return false;
  return (
    ("reason" in details && details.reason === "interrupted") ||
    ("stopped" in details && details.stopped === "aborted")
  );
}

/** The subject of a call: its command, its path, or its first text argument. */
export function subjectOf(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  const { command, file_path: path }: { command?: unknown; file_path?: unknown } = args;
  const first = [command, path, ...Object.values(args)].find((value) => typeof value === "string");
  return typeof first === "string" ? (first.split("\n", 1)[0] ?? "") : "";
}

/** A running tool's output so far, as text. */
export function partialText(partial: unknown): string {
  if (typeof partial === "string") return partial;
  if (typeof partial !== "object" || partial === null || !("content" in partial)) return "";
  const { content } = partial;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("\n");
}
