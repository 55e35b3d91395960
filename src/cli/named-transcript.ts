import type { OpenSessionOptions } from "./sessions/open-session.js";
import { openTranscript, type Transcript } from "./transcript.js";

/** A file, or the session with this name. Sessions are looked up only if there is no such file. */
export async function openNamed(name: string, options: OpenSessionOptions): Promise<Transcript> {
  try {
    return await openTranscript(name, options.from, options.conversation);
  } catch (error) {
    const { sessionInstead } = await import("./sessions/open-session.js");
    return sessionInstead(error, name, options);
  }
}
