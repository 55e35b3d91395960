import type { LossRecord, SessionMeta } from "../core/message/notes.js";
import type { AgentMessage } from "../core/types.js";
import type { RunMark } from "../log/store.js";
import type { Lease, SessionLog } from "../log/types.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import type { Conversation } from "./conversation.js";
import type { Owners } from "./elsewhere/owner.js";
import type { PermissionsOptions } from "./permissions.js";
import type { AgentSetup } from "./types.js";

export interface ConversationOptions {
  session: SessionLog;
  /** The mark of a run, for the holder of the lease. */
  mark(under: Lease): RunMark;
  /** Whether and how long permission requests wait for an answer. */
  questions: Pick<PermissionsOptions, "waits" | "expireAfterMs" | "now">;
  setup(meta: SessionMeta, conversation: Conversation): Promise<AgentSetup>;
  /**
   * Waits for the lease; calls `onWait` if another process holds it. Undefined if that returns true: then the other process
   * does what is to be done.
   */
  lease(onWait: () => Promise<boolean>, signal: AbortSignal): Promise<Lease | undefined>;
  /** Finds the gateways that share the store, and can run the session. */
  owners?: Owners | undefined;
  /** The only one of them that runs the session, if it is not this process. */
  pinned(): string | undefined;
  /** Traces the runs. */
  telemetry?: Telemetry | undefined;
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
