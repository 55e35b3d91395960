import type { Shape } from "../../core/api/api-rules.js";
import type { ToolSpec } from "../../core/api/provider.js";
import type { LiveAssistantMessageEvent, ToolCall } from "../../core/types.js";
import { Renamer } from "./rename.js";

/** Maps tool names to names that the API accepts, and back. */
export class ToolNames {
  readonly #renamer: Renamer;
  readonly #original = new Map<string, string>();

  constructor(shape: Shape | undefined) {
    this.#renamer = new Renamer(shape);
  }

  toSent(name: string): string {
    const sent = this.#renamer.rename(name);
    if (sent !== name) this.#original.set(sent, name);
    return sent;
  }

  toOriginal(name: string): string {
    return this.#original.get(name) ?? name;
  }

  /** The tools with the names that are sent. */
  renameTools(tools: readonly ToolSpec[]): ToolSpec[] {
    return tools.map((tool) => ({ ...tool, name: this.toSent(tool.name) }));
  }

  /** Gives the calls in an answer their original tool names. */
  restore(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent {
    if (this.#original.size === 0) return event;
    if (event.type === "toolcall_end") this.#rename(event.toolCall);
    const message = "partial" in event ? event.partial : event.type === "done" ? event.message : event.error;
    for (const block of message.content) if (block.type === "toolCall") this.#rename(block);
    return event.type === "toolcall_start" && event.name !== undefined
      ? { ...event, name: this.toOriginal(event.name) }
      : event;
  }

  #rename(call: ToolCall): void {
    call.name = this.toOriginal(call.name);
  }
}
