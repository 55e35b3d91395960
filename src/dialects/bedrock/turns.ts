import type { AgentMessage } from "../../core/types.js";

/** The wire role of a message; undefined for messages that are not for a model. */
export function sideOf({ role }: AgentMessage): "user" | "assistant" | "system" | undefined {
  switch (role) {
    case "user":
    case "toolResult":
      return "user";
    case "assistant":
    case "system":
      return role;
    default:
      return undefined;
  }
}
