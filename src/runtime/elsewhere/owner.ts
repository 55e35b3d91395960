import type { QueueMode } from "../../agent/queue.js";
import type { FormContent } from "../../core/message/question.js";
import type { AgentEventLine, PermissionAnswer } from "../../core/types.js";
import type { Position } from "../../log/types.js";
import type { Outcome } from "../types.js";

/** Finds the gateway that runs a session, among those that share a store. */
export interface Owners {
  /** This gateway, as the others name it: its advertised URL. */
  readonly me: string;
  /**
   * Undefined if the session is free, or this process or one that cannot be reached holds its lease.
   *
   * @param gateway the only one that runs the session, if it is another one
   */
  ownerOf(session: string, gateway?: string): Promise<Owner | undefined>;
}

/** Another gateway, as the owner of sessions. What is stored comes from the store, never from here. */
export interface Owner {
  /** The same text for the same gateway. */
  readonly name: string;
  /** Receives what is not in the store: the steps of runs. Returns a function that ends it. */
  follow(session: string, follower: OwnerFollower): () => void;
  /**
   * Reports a message that was stored for it, so that a run in progress can read it.
   *
   * @param runId of the run that it is to begin, if none is in progress and no other gateway can run the session
   */
  deliver(session: string, messageId: string, mode: QueueMode, runId?: string): Promise<void>;
  /** False if the run has ended. */
  abort(session: string, runId: string): Promise<boolean>;
  /** Answers a question's form, whose values are not stored. False if the question was answered before. */
  answer(session: string, id: string, answer: PermissionAnswer, content: FormContent): Promise<boolean>;
}

/** A step of a run on another gateway. It stands for the numbers from `fromSeq` (default: `seq`) to `seq`. */
export interface RemoteStep {
  runId: string;
  seq: number;
  fromSeq?: number;
  step: AgentEventLine | { type: "run_start" } | { type: "run_end"; outcome: Outcome; error?: string };
}

/** A place in a run's steps. */
interface RunPlace {
  runId: string;
  seq: number;
}

/** Where a follower begins. */
export interface Joined {
  /** The run in progress; its steps after `seq` follow. */
  run?: RunPlace;
  /** Everything before it was stored at this time. */
  position: Position;
  /** How the run ended that the follower had begun to follow. */
  ended?: { outcome: Outcome; error?: string };
}

export interface OwnerFollower {
  /** What it has, when it joins or joins again. */
  place(): Promise<{ position: Position; run?: RunPlace }>;
  onJoin(joined: Joined): void;
  onStep(step: RemoteStep): void;
  /** The link is lost. It joins again as soon as possible. */
  onLost(): void;
}
