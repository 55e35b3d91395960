import { DragomanError } from "../../core/error.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import { joinTranscript, openTranscript, type Transcript } from "../transcript.js";
import { atHome } from "./at-home.js";
import { transcriptOf } from "./contents.js";
import { findSession } from "./find.js";

/** What a command's `FILE|SESSION` argument names. */
export interface OpenedSession extends Transcript {
  /** Undefined for a file that was named by its path. */
  summary: SessionSummary | undefined;
}

export interface OpenSessionOptions {
  home?: string | undefined;
  /** `--source`: where to look for a session (default: all). */
  source?: string | undefined;
  /** `--from`: the dialect of a file (default: detected). */
  from?: string | undefined;
  /** `--conversation`: the one to use, for a file with several. */
  conversation?: string | undefined;
}

/**
 * Opens a file by its path, or a session of the home or of any source by its id, a prefix of the id, or its key.
 *
 * @example
 * const { input, dialect, summary } = await openSession("3f2a9c1e", {});
 */
export async function openSession(name: string, options: OpenSessionOptions): Promise<OpenedSession> {
  try {
    const transcript = await joinTranscript(await openTranscript(name, options.from, options.conversation));
    return { ...transcript, summary: undefined };
  } catch (error) {
    return sessionInstead(error, name, options);
  }
}

/**
 * The session with the name of a file that does not exist. Throws the error if it has another cause, or if the name can only
 * be a file's.
 */
export async function sessionInstead(
  error: unknown,
  name: string,
  { home, source }: Pick<OpenSessionOptions, "home" | "source">,
): Promise<OpenedSession> {
  const isMissing = error instanceof DragomanError && error.code === "cli/no-file";
  if (!isMissing || looksLikeFile(name)) throw error;
  return atHome(home, async (here) => {
    const summary = await findSession(here, name, source).catch((other: unknown) => {
      if (!(other instanceof DragomanError) || other.code !== "log/no-session") throw other;
      const { code, hint } = other;
      const what = `there is no file or session ${JSON.stringify(name)}`;
      throw new DragomanError(code, what, hint === undefined ? {} : { hint });
    });
    return { ...(await transcriptOf(here, summary)), summary };
  });
}

/** `session.jsonl` or a path, unlike an id. */
function looksLikeFile(name: string): boolean {
  return /[\\/]|\.\w+$/.test(name);
}
