import type { AcpContentBlock } from "./wire.js";

/*
 * What an agent sends, in the protocol's names.
 */

export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";

export type ToolKind = "read" | "edit" | "execute" | "fetch" | "search" | "other";

/** `oldText` is null for a new file. Texts are the whole file, or the changed lines with some context. */
export interface Diff {
  type: "diff";
  path: string;
  oldText: string | null;
  newText: string;
}

export type ToolCallContent = { type: "content"; content: AcpContentBlock } | Diff;

/** What changes of a tool call. `content` replaces earlier content. */
export interface ToolCallUpdate {
  toolCallId: string;
  title?: string;
  name?: string;
  kind?: ToolKind;
  status?: "pending" | "in_progress" | "completed" | "failed";
  content?: ToolCallContent[];
  locations?: { path: string; line?: number }[];
  rawInput?: unknown;
  rawOutput?: unknown;
}

export interface ConfigOption {
  id: string;
  name: string;
  category: string;
  type: "select";
  currentValue: string;
  options: { value: string; name: string }[];
}

type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

export type SessionUpdate =
  | { sessionUpdate: ChunkKind; content: AcpContentBlock; messageId?: string }
  | ({ sessionUpdate: "tool_call"; title: string } & ToolCallUpdate)
  | ({ sessionUpdate: "tool_call_update" } & ToolCallUpdate)
  | { sessionUpdate: "config_option_update"; configOptions: ConfigOption[] }
  | { sessionUpdate: "session_info_update"; title?: string; updatedAt?: string }
  | { sessionUpdate: "usage_update"; used: number; size: number; cost?: { amount: number; currency: string } }
  | { sessionUpdate: "notice"; severity: "info" | "warning" | "error"; title: string; description?: string }
  | {
      sessionUpdate: "compaction_update";
      compactionId: string;
      status: "completed";
      summary: AcpContentBlock[];
    };
