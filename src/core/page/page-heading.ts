import { impliedStop, isSynthesised } from "../message/neutral.js";
import type { AgentMessage, AssistantMessage, ThinkingContent } from "../types.js";
import type { ShownOnPage } from "./shown-message.js";

/** What a page shows above a message. */
interface PageHeading {
  title: string;
  /** Who wrote it, or what it is about: a sender, a model, a tool. */
  details: string[];
  /** Absent if the source does not record it. */
  timestamp?: number;
}

export function headingOf(message: AgentMessage): PageHeading {
  const { sender, timestamp } = message;
  return {
    title: titles[message.role] ?? message.role,
    details: [...(sender === undefined ? [] : [sender]), ...detailsOf(message)],
    ...(isSynthesised(message, "/timestamp") ? {} : { timestamp }),
  };
}

const titles: Partial<Record<string, string>> = {
  user: "User",
  assistant: "Assistant",
  toolResult: "Tool result",
  system: "System",
  session: "Session",
  error: "Error",
  compaction: "Summary of the messages above",
  custom: "Note",
  agentComplete: "Agent finished",
  agentMessage: "Message from an agent",
};

function detailsOf(message: AgentMessage): string[] {
  switch (message.role) {
    case "assistant":
      return message.model === "" ? [] : [message.model];
    case "error":
      return message.code === undefined ? [] : [message.code];
    case "custom":
      return [message.customType];
    case "agentComplete":
      return [message.agentId];
    case "agentMessage":
      return [message.senderId, ...(message.replyTo === undefined ? [] : [`reply to ${message.replyTo}`])];
    default:
      return [];
  }
}

const endings: Record<AssistantMessage["stopReason"], string> = {
  stop: "The answer ended normally.",
  length: "The answer was cut off at the length limit.",
  toolUse: "The answer ended with a tool call.",
  error: "The answer failed.",
  aborted: "The answer was aborted.",
};

/** How an answer ended, if its content does not imply it. */
export function endingOf({ content, stopReason, errorMessage }: AssistantMessage): string | undefined {
  if (errorMessage !== undefined) return `${endings[stopReason]} ${errorMessage}`;
  return stopReason === impliedStop(content) ? undefined : endings[stopReason];
}

export function thinkingTitle({ redacted }: ThinkingContent): string {
  return redacted === true ? "Thinking (withheld by the provider)" : "Thinking";
}

/** The id of a call, or of the call that a result belongs to; empty if it is a neutral value. */
export function callIdOf({ message, indexes }: ShownOnPage, call?: { id: string; index: number }): string {
  if (call !== undefined) {
    return isSynthesised(message, `/content/${indexes[call.index]}/id`) ? "" : call.id;
  }
  return message.role !== "toolResult" || isSynthesised(message, "/toolCallId") ? "" : message.toolCallId;
}
