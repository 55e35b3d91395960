import type { PermissionRule } from "../agent/permissions.js";
import type { QueueMode } from "../agent/queue.js";
import type { Tool } from "../agent/types.js";
import type { CallOptions } from "../core/api/provider.js";
import type { LossRecord } from "../core/message/notes.js";
import type { AgentEvent, ToolCall, UserMessage } from "../core/types.js";
import type { Position } from "../log/types.js";
import type { Model } from "../providers/connect.js";

/** A message that was accepted: it is on disk, and will be answered. */
export interface Accepted {
  message: UserMessage & { id: string };
  /** The run that answers it, or that was under way when it came. */
  runId: string;
}

/** How a run ended. */
export type Outcome = "done" | "aborted" | "error";

/** Somebody is asked whether a tool may run. */
export interface PermissionRequest {
  id: string;
  toolCall: ToolCall;
  /** What a rule would be about: a path, a command. */
  subject?: string;
}

/** Yes, `once` or for the same thing in the rest of the session; or no. */
export type PermissionAnswer = "once" | "session" | "never";

/**
 * What happens in a conversation, in order, for everybody who watches it. Within a run `seq` counts from 1 without gaps.
 * `agent` events of messages come when the message is on disk (`message_end`), and then say where.
 */
export type ConversationEvent =
  | { type: "run_start"; runId: string; seq: number }
  | {
      type: "agent";
      runId: string;
      seq: number;
      event: AgentEvent;
      stored?: { position: Position; next: Position };
    }
  | { type: "run_end"; runId: string; seq: number; outcome: Outcome; error?: string }
  | { type: "permission"; request: PermissionRequest }
  | { type: "permission_end"; id: string; answer: PermissionAnswer }
  /** A message waits for its turn. It is on disk. */
  | { type: "queued"; message: UserMessage; mode: QueueMode }
  /** A translation lost something for a reason that the session had not recorded before. The note is on disk. */
  | ({ type: "losses" } & LossRecord);

/** An agent, ready to run. */
export interface AgentSetup {
  id: string;
  model: Model;
  systemPrompt: string;
  tools: readonly Tool[];
  rules: readonly PermissionRule[];
  maxTurns?: number;
  call: CallOptions;
}
