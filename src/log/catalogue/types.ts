import type { AgentMessage, SessionMessage, Usage } from "../../core/types.js";
import type { Log, Position } from "../types.js";

/** What the index knows of a session without opening it. */
export interface SessionSummary {
  id: string;
  agent: string;
  key?: string;
  path: string;
  foreign: boolean;
  /** Given by its header or a later note; otherwise how the first user began. */
  title?: string;
  /** Unix milliseconds; absent while nothing in it has a time. */
  created?: number;
  /** When the last message of the conversation proper was written. */
  active?: number;
  counts: Counts;
  /** Their numbers, the first thousand of them; `counts.bad` has them all. */
  badLines: number[];
  usage: Usage;
  /** Some of its answers have no known price, so that `usage.cost` is less than what was spent. */
  unknownPrices: boolean;
  /** `provider/model` of its answers, in the order they first appear. */
  models: string[];
  archived: boolean;
  parent?: NonNullable<SessionMessage["parent"]>;
  /** Why the rest of the file could not be read. */
  problem?: string;
}

export interface Counts {
  user: number;
  assistant: number;
  toolResult: number;
  /** All lines, whatever they hold; of a foreign session its messages. */
  lines: number;
  /** Lines that are no message. */
  bad: number;
}

/** The roles whose text is found by a search. */
export type SearchedRole = "user" | "assistant" | "toolResult";

export interface AgentFilter {
  /** Only sessions of these agents (default: of all). */
  agents?: readonly string[];
}

export interface SearchFilters extends AgentFilter {
  agent?: string;
  key?: string;
  role?: SearchedRole;
  /** Unix milliseconds, both included. */
  since?: number;
  until?: number;
  /** 20 if not given. */
  limit?: number;
}

export interface Hit {
  session: string;
  agent: string;
  /** The message's id, where it has one. */
  message?: string;
  /** Where it stands in its log; in a foreign session how many messages are before it. */
  position: Position;
  role: SearchedRole;
  timestamp: number;
  snippet: SnippetPart[];
}

/** A piece of a snippet; the pieces follow each other without a gap. */
export interface SnippetPart {
  text: string;
  /** It is what was searched for. */
  match: boolean;
}

export interface Found {
  /** The best of those that were indexed last, a thousand of them. */
  hits: Hit[];
  /** What of the query could not be searched for: it has no letter or digit, or there was too much of it. */
  ignored: string[];
}

export interface ListOptions extends AgentFilter {
  agent?: string;
  /** Only archived ones, or only the others; all if not given. */
  archived?: boolean;
  /** Latest first; `active` if not given. */
  sort?: "active" | "created";
  limit?: number;
  /** Those after the session of this id, in the same order. */
  before?: string;
}

export interface Stats {
  sessions: number;
  archived: number;
  counts: Counts;
  usage: Usage;
  unknownPrices: boolean;
}

export interface Progress {
  /** Sessions looked at. */
  sessions: number;
  /** How many of them had something to index. */
  changed: number;
}

export interface Updated extends Progress {
  /** Sessions that are gone. */
  removed: number;
}

export interface UpdateOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Runs `work` while no one else, in this process or another, holds the index's lock, which dies with its holder. */
export type WithLock = <T>(work: () => Promise<T>) => Promise<T>;

export interface CatalogueOptions {
  /** The index is a folder in it. */
  home: string;
  sessions: Log["list"];
  /** The messages of a session that another program wrote. */
  readForeign: (path: string) => AsyncIterable<AgentMessage>;
  withLock: WithLock;
  /** Told when the index was damaged or of another version, and is built anew. */
  onNote?: (text: string) => void;
}

/** The index of all sessions and of what was said in them. It is derived from the logs, and may be deleted at any time. */
export interface Catalogue {
  /** Reads what was added to the logs since the last time. */
  update(options?: UpdateOptions): Promise<Updated>;
  /** Something was appended to this session: soon, together with others, that is indexed. Fulfilled when it is, or at `close`. */
  indexSoon(session: string): Promise<void>;
  list(options?: ListOptions): Promise<SessionSummary[]>;
  /** By key, by id (of a foreign session also with `.jsonl`), or by the beginning of an id; `log/ambiguous` when several ids begin so. */
  get(name: string): Promise<SessionSummary | undefined>;
  /** Words that must all occur, `"exact phrases"`, `-exclusions`; the last word may be unfinished. */
  search(query: string, filters?: SearchFilters): Promise<Found>;
  stats(filter?: AgentFilter): Promise<Stats>;
  /** Stops a running update. */
  close(): Promise<void>;
}
