import type { AgentMessage, SessionMessage, Usage } from "../../core/types.js";
import type { Log, Position, SessionFile } from "../types.js";

/** The name of the source that is the home itself. */
export const HOME_SOURCE = "dragoman";

/** What the index knows about a session. */
export interface SessionSummary {
  id: string;
  /** The source it was found in: `dragoman` for the home, otherwise the name of a program. */
  source: string;
  agent: string;
  key?: string;
  path: string;
  foreign: boolean;
  /** From its header or a later note (default: the beginning of the first user message). */
  title?: string;
  /** Unix milliseconds; absent if no message has a time. */
  created?: number;
  /** The time of the last user message, answer or tool result. */
  active?: number;
  counts: Counts;
  /** The numbers of the first thousand bad lines; `counts.bad` counts all. */
  badLines: number[];
  usage: Usage;
  /** Some answers have no known price, so `usage.cost` is too low. */
  unknownPrices: boolean;
  /** `provider/model` of its answers, in the order they first appear. */
  models: string[];
  archived: boolean;
  parent?: NonNullable<SessionMessage["parent"]>;
  /** The folder that it works in, if the program recorded one. */
  folder?: string;
  /** Why the file, or a part of it, could not be read. */
  problem?: string;
}

export interface Counts {
  user: number;
  assistant: number;
  toolResult: number;
  /** All lines; for a foreign session, its messages. */
  lines: number;
  /** Lines that are not messages. */
  bad: number;
}

/** The roles whose text is searchable. */
export type SearchedRole = "user" | "assistant" | "toolResult";

export interface SourceFilter {
  /** Only sessions of these sources (default: the home's). */
  sources?: readonly string[] | "all";
}

export interface AgentFilter extends SourceFilter {
  /** Only these agents' sessions (default: all). */
  agents?: readonly string[];
  /** Not this agent's sessions. */
  except?: string;
}

/** Where a session takes place. */
export interface PlaceFilter {
  agent?: string;
  /** The chat platform in the session's key: `telegram` in `agent:main:telegram:dm:42`. */
  channel?: string;
  /** The folder that the session works in. */
  folder?: string;
}

export interface SearchFilters extends AgentFilter, PlaceFilter {
  key?: string;
  role?: SearchedRole;
  /** Unix milliseconds, both included. */
  since?: number;
  until?: number;
  /** Default: 20. */
  limit?: number;
}

export interface Hit {
  session: string;
  source: string;
  agent: string;
  /** The message's id, if it has one. */
  message?: string;
  /** Its position in the log; in a foreign session, the number of messages before it. */
  position: Position;
  role: SearchedRole;
  timestamp: number;
  snippet: SnippetPart[];
}

/** A piece of a snippet; the pieces are contiguous. */
export interface SnippetPart {
  text: string;
  match: boolean;
}

export interface Found {
  /** The best of the thousand latest matches. */
  hits: Hit[];
  /** How many messages match, as far as they were counted. */
  total: number;
  /** Not all were counted: more match than `total`, or as many. */
  more?: true;
  /** Terms that were not searched for: without a letter or digit, or beyond the limit. */
  ignored: string[];
}

export interface ListOptions extends AgentFilter, PlaceFilter {
  /** Only archived sessions, or only the others (default: all). */
  archived?: boolean;
  /** Latest first (default: `active`). */
  sort?: "active" | "created";
  /** Only sessions that were last active in this time; Unix milliseconds, both included. */
  since?: number;
  until?: number;
  /** Only forks and sub-agents' sessions of the session with this id. */
  parent?: string;
  limit?: number;
  /** Only the sessions that follow the one with this id in the list. */
  before?: string;
}

export interface SpendingFilter extends SourceFilter {
  /** Only this session's answers. */
  session?: string;
}

export interface Stats {
  sessions: number;
  archived: number;
  counts: Counts;
  usage: Usage;
  unknownPrices: boolean;
}

/** What the answers of one session, one day and one model used. */
export interface Spending {
  session: string;
  source: string;
  folder?: string;
  /** In UTC, such as `2026-01-15`; absent if the answers have no time. */
  day?: string;
  /** `provider/model`, or `unknown`. */
  model: string;
  answers: number;
  usage: Usage;
  unknownPrices: boolean;
}

export interface Progress {
  /** Sessions indexed, and sessions with something new to index. */
  indexed: number;
  changed: number;
  /** Bytes of their files, accordingly. */
  bytes: number;
  totalBytes: number;
}

export interface Updated {
  /** Sessions checked. */
  sessions: number;
  /** Sessions with something new to index. */
  changed: number;
  /** Sessions whose files are gone. */
  removed: number;
}

export interface UpdateOptions {
  /** Whose sessions to index (default: the home's). */
  source?: SessionSource;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Runs `work` while holding the index's lock, which excludes every process and ends with its holder. */
export type WithLock = <T>(work: () => Promise<T>) => Promise<T>;

/** Called with the number of a line that could not be read, and the reason. */
export type OnBadLine = (line: number, reason: string) => void;

/** A place with session files: the home, or the folders of another program. */
export interface SessionSource {
  name: string;
  /** Files whose size and time are those in `known` are not opened. */
  sessions: Log["list"];
  /** The messages of a foreign session. */
  readForeign: (path: string, onBadLine: OnBadLine) => AsyncIterable<AgentMessage>;
}

/** Reports which files have changed, so that an update does not have to check all of them. */
export interface ChangedFiles {
  /** Starts over: files are about to be checked. */
  begin(): Promise<void>;
  /** The paths of changed files since `begin` or the last call; undefined if all files have to be checked. */
  changes(): Promise<ReadonlySet<string> | undefined>;
  close(): void;
}

export interface CatalogueOptions extends Omit<SessionSource, "name"> {
  /** The index is a folder in it. */
  home: string;
  withLock: WithLock;
  /** Of the home's sessions (default: all files are checked at each update). */
  changed?: ChangedFiles;
  /** Called when a damaged or outdated index is rebuilt. */
  onNote?: (text: string) => void;
}

/** The index of all sessions and their text. It is derived from the logs, and may be deleted at any time. */
export interface Catalogue {
  /** Indexes everything added to a source's files since the last update. */
  update(options?: UpdateOptions): Promise<Updated>;
  /** Indexes one file of a source, if it has changed, and returns its summary; undefined if the file is gone. */
  updateFile(source: SessionSource, file: SessionFile): Promise<SessionSummary | undefined>;
  /** Indexes appended messages soon, together with other sessions'. Fulfilled when done, or at `close`. */
  indexSoon(session: string): Promise<void>;
  list(options?: ListOptions): Promise<SessionSummary[]>;
  /** By key, by id (a foreign one also with `.jsonl`), or by the beginning of an id; `log/ambiguous` when several match. */
  get(name: string, filter?: SourceFilter): Promise<SessionSummary | undefined>;
  /** Words that must all occur, `"exact phrases"`, `-exclusions`; the last word may be unfinished. */
  search(query: string, filters?: SearchFilters): Promise<Found>;
  stats(filter?: AgentFilter): Promise<Stats>;
  /** What answers used, by session, day and model. */
  spending(filter?: SpendingFilter): Promise<Spending[]>;
  /** Stops a running update. */
  close(): Promise<void>;
}
