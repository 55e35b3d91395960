import type { PermissionRule } from "../agent/permissions.js";
import type { QueueMode } from "../agent/queue.js";
import type { run } from "../agent/run.js";
import type { AgentModel, Tool } from "../agent/types.js";
import type { CallOptions } from "../core/api/provider.js";
import type { LossRecord } from "../core/message/notes.js";
import type { PermissionEnd, PermissionRequest } from "../core/message/question-notes.js";
import type { AgentEvent, UserMessage } from "../core/types.js";
import type { Position } from "../log/types.js";

/** An accepted message: it is on disk, and will be answered. */
export interface Accepted {
  message: UserMessage & { id: string };
  /** The run that answers it, or that was in progress when it arrived. */
  runId: string;
}

/** How a run ended. */
export type Outcome = "done" | "aborted" | "error";

/**
 * A conversation's events, in order, for all its watchers. Within a run `seq` counts from 1 without gaps.
 * A `message_end` event is emitted once the message is on disk, with its position in `stored`.
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
  /** A permission request waits for an answer. It is on disk. */
  | { type: "permission"; request: PermissionRequest }
  | { type: "permission_end"; id: string; end: PermissionEnd }
  /** A message was queued. It is on disk. */
  | { type: "queued"; message: UserMessage; mode: QueueMode }
  /** A translation lost something for a cause that the session had not recorded before. The note is on disk. */
  | ({ type: "losses" } & LossRecord);

/** An agent, ready to run. */
export interface AgentSetup {
  id: string;
  model: AgentModel;
  systemPrompt: string;
  tools: readonly Tool[];
  rules: readonly PermissionRule[];
  maxTurns?: number;
  call: CallOptions;
  /** What runs it (default: our loop). */
  run?: (...given: Parameters<typeof run>) => AsyncGenerator<AgentEvent>;
}
