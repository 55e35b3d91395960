import { LatestMap } from "../latest-map.js";
import type { AgentMessage } from "../types.js";
import { isSynthesised } from "./neutral.js";

/** How many calls are remembered. A result follows its call closely, and transcripts can be arbitrarily long. */
const REMEMBERED = 10_000;

/** Adds the tool's name from the call to results that omit it. It stays in `ext.synthesised`, so it is not written back. */
export class CallNames {
  /** The tools of the latest calls, by call id. */
  readonly #tools = new LatestMap<string>(REMEMBERED);

  complete(message: AgentMessage): AgentMessage {
    if (message.role === "assistant") {
      for (const block of message.content)
        if (block.type === "toolCall") this.#tools.set(block.id, block.name);
    }
    if (message.role !== "toolResult" || message.toolName !== "") return message;
    const toolName = this.#tools.get(message.toolCallId);
    return toolName === undefined || !isSynthesised(message, "/toolName")
      ? message
      : { ...message, toolName };
  }
}
