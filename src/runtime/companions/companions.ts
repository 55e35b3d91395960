import type { Loss } from "../../core/types.js";
import type { SessionFile } from "../../log/types.js";

/** Called with each part of a session that is in a missing file. */
export type OnMissing = (loss: Loss) => void;

/** How a program spreads a session over several files. */
export interface Companions {
  /** The files that can change without the session's main file changing. */
  filesOf(path: string): Promise<string[]>;
  /** The bytes of the whole session, as the dialect reads them, from its main file and the others. */
  join(path: string, onMissing: OnMissing): AsyncIterable<Uint8Array>;
  /** The sessions in a file that contains many, such as a database. The path of each is `<file>/<id>`. */
  sessionsIn?(path: string): Promise<ContainedSession[]>;
}

/** A session in a file that contains many. Size and time change whenever the session does. */
export type ContainedSession = Pick<SessionFile, "id" | "size" | "modified">;

/** By dialect. Dialects that are not listed keep a session in one file. */
const registry: Readonly<Record<string, () => Promise<Companions>>> = {
  "claude-code": async () => (await import("./claude-code.js")).claudeCodeCompanions,
  codex: async () => (await import("./codex.js")).codexCompanions,
  opencode: async () => (await import("./opencode.js")).opencodeCompanions,
  "qwen-code": async () => (await import("./qwen-code.js")).qwenCodeCompanions,
};

/** Undefined for a dialect that keeps a session in one file. */
export async function companionsOf(dialect: string): Promise<Companions | undefined> {
  return Object.hasOwn(registry, dialect) ? registry[dialect]?.() : undefined;
}

/** A session's bytes from all its files. */
export interface JoinedSession {
  open(): AsyncIterable<Uint8Array>;
  /** What was not found, each part once; complete after the bytes have been read. */
  missing(): Loss[];
}

/**
 * Joins the files of a session; undefined if its dialect keeps it in one file.
 *
 * @example
 * const joined = await joinSession("/home/ann/.claude/projects/-app/3f2a9c1e.jsonl", "claude-code");
 */
export async function joinSession(path: string, dialect: string): Promise<JoinedSession | undefined> {
  const companions = await companionsOf(dialect);
  if (companions === undefined) return undefined;
  // A conversion may read the session twice.
  const missing = new Map<string, Loss>();
  const onMissing: OnMissing = (loss) => missing.set(`${loss.at} ${loss.what}`, loss);
  return { open: () => companions.join(path, onMissing), missing: () => [...missing.values()] };
}
