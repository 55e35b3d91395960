import { DragomanError } from "../../core/error.js";
import { atHome } from "../sessions/at-home.js";
import { transcriptOf } from "../sessions/contents.js";
import { findSession } from "../sessions/find.js";
import { openTranscript, type Transcript } from "../transcript.js";

/** A file, or a session of ours if there is no file of that name. */
export async function openSession(
  name: string,
  from: string | undefined,
  home: string | undefined,
): Promise<Transcript> {
  try {
    return await openTranscript(name, from);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "cli/no-file" || /[\\/]/.test(name)) throw error;
  }
  return atHome(home, async (sessions) => transcriptOf(sessions, await findSession(sessions, name)));
}
