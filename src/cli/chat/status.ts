import type { AgentEvent } from "../../core/types.js";
import { plainLine } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { duration } from "./duration.js";
import { subjectOf } from "./tool-lines.js";

export const WAITING = "waiting for the model";
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function activityAfter(event: AgentEvent, before: string): string {
  switch (event.type) {
    case "message_update":
      switch (event.assistantMessageEvent.type) {
        case "thinking_start":
          return "thinking";
        case "text_start":
          return "answering";
        case "toolcall_start":
          return "writing a tool call";
        default:
          return before;
      }
    case "tool_execution_start":
      return `running ${event.toolName} ${subjectOf(event.args)}`;
    case "turn_start":
    case "tool_execution_end":
      return WAITING;
    default:
      return before;
  }
}

/** `⠙ running exec npm test · 12 s · 1 queued · Ctrl-C to stop` */
export function statusLine(
  { activity, ms, queued, frame }: { activity: string; ms: number; queued: number; frame: number },
  columns: number,
  paint: Paint,
): string {
  const waiting = queued > 0 ? ` · ${queued} queued` : "";
  const rest = ` · ${duration(ms).replace(/\.\d/, "")}${waiting}`;
  const hint = columns >= 60 ? " · Ctrl-C to stop" : "";
  const said = plainLine(activity, columns - 3 - rest.length - hint.length);
  return `${paint("cyan", FRAMES[frame % FRAMES.length] ?? "")} ${paint("dim", said + rest + hint)}`;
}
