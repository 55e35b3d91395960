import type { LossRecord, SessionMeta } from "../core/message/notes.js";
import type { AgentMessage } from "../core/types.js";
import type { Lease, SessionLog } from "../log/types.js";
import type { Conversation } from "./conversation.js";
import type { AgentSetup } from "./types.js";

export interface ConversationOptions {
  session: SessionLog;
  /** The file that marks a run which is under way. */
  runMarkPath: string;
  /** The file that marks a session in whose inbox something waits. */
  backlogMarkPath: string;
  setup(meta: SessionMeta, conversation: Conversation): Promise<AgentSetup>;
  /** Waits for the right to run the session; the callback is told when it has to. */
  lease(onWait: () => Promise<void>, signal: AbortSignal): Promise<Lease>;
  /** Its history is read, and stays in memory until it rests. */
  onRead(conversation: Conversation): void;
  /** It has begun or ended its work, was described, or somebody has said something. */
  onChange?(conversation: Conversation): void;
  /** After each run, with the prompt that the agent ran under. */
  onRunEnd?(messages: readonly AgentMessage[], systemPrompt: string | undefined): Promise<void>;
  /** Hears of everything that a translation of the session lost. */
  onLosses?(record: LossRecord): void;
  /** What went wrong beside the answer: with the log itself, with what is derived from it, with somebody who watches. */
  onFailure(error: unknown): void;
}
