import * as Type from "@sinclair/typebox";
import { detectOne, loadReader } from "../../../convert/detect.js";
import { DragomanError } from "../../../core/error.js";
import type {
  IndexOptions,
  ReadableSessions,
  SessionBytes,
} from "../../../runtime/sources/readable-sessions.js";
import { sessionName, sourceName } from "./session-fields.js";

/** The arguments that name a transcript: a session, or its text. */
export const transcriptArguments = {
  session: Type.Optional(sessionName),
  source: sourceName,
  text: Type.Optional(Type.String({ description: "A transcript in any dialect, instead of a session." })),
  from: Type.Optional(Type.String({ description: "The dialect of `text` (default: detected)." })),
};

export interface TranscriptArguments {
  session?: string;
  source?: string;
  text?: string;
  from?: string;
}

/** The transcript that a call names. */
export async function transcriptIn(
  { session, source, text, from }: TranscriptArguments,
  sessions: ReadableSessions,
  options: IndexOptions,
): Promise<SessionBytes> {
  if ((session === undefined) === (text === undefined)) {
    throw new DragomanError("model/invalid", "pass either `session` or `text`");
  }
  if (session !== undefined) return sessions.bytesOf(await sessions.find(session, source, options));
  const bytes = Buffer.from(text ?? "");
  return {
    dialect: await loadReader(from ?? (await detectOne(bytes))),
    async *open() {
      yield bytes;
    },
  };
}
