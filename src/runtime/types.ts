import type { Tool, ToolHooks } from "../agent/types.js";
import type { QueueMode } from "../agent/queue.js";
import type { CallOptions } from "../core/provider.js";
import type { AgentEvent, ToolCall, UserMessage } from "../core/types.js";
import type { Position } from "../log/types.js";
import type { Model } from "../providers/connect.js";

/** How a run ended. */
export type Outcome = "done" | "aborted" | "error";

/** Somebody is asked whether a tool may run. */
export interface PermissionRequest {
  id: string;
  toolCall: ToolCall;
  /** What a rule would be about: a path, a command. */
  subject?: string;
}

/** `once`, for the rest of the session, or not at all. */
export type PermissionAnswer = "once" | "session" | "never";

/**
 * What happens in a conversation, in order, for everybody who watches it. Within a run `seq` counts from 1 without gaps.
 * `agent` events of messages come when the message is on disk (`message_end`), and then say where.
 */
export type ConversationEvent =
  | { type: "run_start"; runId: string; seq: number }
  | { type: "agent"; runId: string; seq: number; event: AgentEvent; stored?: { position: Position; next: Position } }
  | { type: "run_end"; runId: string; seq: number; outcome: Outcome; error?: string }
  | { type: "permission"; request: PermissionRequest }
  | { type: "permission_end"; id: string; answer: PermissionAnswer }
  /** A message waits for its turn. It is on disk. */
  | { type: "queued"; message: UserMessage; mode: QueueMode };

export type Ask = (
  toolCall: ToolCall,
  subject: string | undefined,
  signal: AbortSignal,
) => Promise<PermissionAnswer>;

/** An agent, ready to run. */
export interface AgentSetup {
  id: string;
  model: Model;
  systemPrompt: string;
  tools: readonly Tool[];
  /** The rules about its tools; `ask` is given when there is somebody to ask. */
  hooks(ask: Ask | undefined): ToolHooks;
  maxTurns?: number;
  call: CallOptions;
}
