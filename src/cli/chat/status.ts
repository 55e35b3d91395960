import type { AgentEvent, AssistantMessageEvent } from "../../core/types.js";
import { plainLine } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { duration } from "./duration.js";
import { subjectOf } from "./tool-lines.js";

export const WAITING = "waiting for the model";
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** What a run is doing, as far as its events tell. */
export class Activity {
  /** The calls that run, by id. */
  readonly #running = new Map<string, string>();
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** With several calls at once, the latest one and how many others run. */
  get text(): string {
    const calls = [...this.#running.values()];
    const last = calls.at(-1);
    if (last === undefined) return this.#text;
    return calls.length === 1 ? `running ${last}` : `running ${calls.length} tools: ${last}`;
  }

  observe(event: AgentEvent): void {
    switch (event.type) {
      case "message_update":
        this.#observeStep(event.assistantMessageEvent.type);
        return;
      case "tool_execution_start":
        this.#running.set(event.toolCallId, `${event.toolName} ${subjectOf(event.args)}`.trimEnd());
        return;
      case "tool_execution_end":
        this.#running.delete(event.toolCallId);
        this.#text = WAITING;
        return;
      case "turn_start":
        this.#text = WAITING;
        return;
      default:
    }
  }

  #observeStep(type: AssistantMessageEvent["type"]): void {
    if (type === "thinking_start") this.#text = "thinking";
    else if (type === "text_start") this.#text = "answering";
    else if (type === "toolcall_start") this.#text = "writing a tool call";
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
