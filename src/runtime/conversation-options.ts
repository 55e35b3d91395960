import type { LossRecord, SessionMeta } from "../core/message/notes.js";
import type { AgentMessage } from "../core/types.js";
import type { RunMark } from "../log/store.js";
import type { Lease, SessionLog } from "../log/types.js";
import type { Conversation } from "./conversation.js";
import type { PermissionsOptions } from "./permissions.js";
import type { AgentSetup } from "./types.js";

export interface ConversationOptions {
  session: SessionLog;
  /** The mark of a run, for the holder of the lease. */
  mark(under: Lease): RunMark;
  /** Whether and how long permission requests wait for an answer. */
  questions: Pick<PermissionsOptions, "waits" | "expireAfterMs" | "now">;
  setup(meta: SessionMeta, conversation: Conversation): Promise<AgentSetup>;
  /** Waits for the lease; calls `onWait` if another process holds it. */
  lease(onWait: () => Promise<void>, signal: AbortSignal): Promise<Lease>;
  /** The history is being read, and stays in memory until `unload`. */
  onRead(conversation: Conversation): void;
  /** Work has started or ended, or the metadata or the messages have changed. */
  onChange?(conversation: Conversation): void;
  /** Called after each run, with the agent's system prompt. */
  onRunEnd?(messages: readonly AgentMessage[], systemPrompt: string | undefined): Promise<void>;
  /** Called with every loss of the session's translations. */
  onLosses?(record: LossRecord): void;
  /** Called for failures outside the answer: of the log, of derived data, of a watcher. */
  onFailure(error: unknown): void;
}
