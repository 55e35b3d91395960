import type { Loss } from "../../core/types.js";
import type { TranscriptSource } from "../import-transcript.js";

/** The programs that a session can be continued in, in the order the help lists them. */
export const programNames = [
  "claude-code",
  "codex",
  "opencode",
  "gemini-cli",
  "qwen-code",
  "pi",
  "dragoman",
] as const;

export type ProgramName = (typeof programNames)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program that can continue sessions of other programs. */
export interface Destination {
  /** The program's name, for users. */
  readonly title: string;
  /** Whether its sessions belong to no folder. */
  readonly inAnyFolder?: true;
  /** Stores the session where the program looks for it. Nothing that exists is changed. */
  store(source: TranscriptSource, options: StoreOptions): Promise<Stored>;
}

export interface StoreOptions {
  /** The folder that the session is continued in: absolute, and it exists. */
  folder: string;
  /** The user's home. */
  userHome: string;
  /** Our own home. */
  home: string;
  env: Environment;
  now: Date;
  /** A new UUID, for the new session. */
  uuid: string;
  /** Whether nothing is written. */
  dryRun: boolean;
  onLoss(loss: Loss): void;
}

export interface Stored {
  /** The session's id in the program. */
  session: string;
  /** The file with the session. */
  path?: string;
  messages: number;
  /** The commands that open it, to be run one after the other in the folder. */
  commands: readonly (readonly string[])[];
}
