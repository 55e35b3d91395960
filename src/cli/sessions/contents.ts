import { createReadStream } from "node:fs";
import { load } from "../../convert/detect.js";
import type { AgentMessage } from "../../core/types.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import type { SessionLog } from "../../log/types.js";
import type { Sessions } from "../../runtime/sessions.js";
import { fileMessages } from "../../runtime/transcript.js";
import { reportLine } from "../terminal/report-line.js";
import { openTranscript, type Transcript } from "../transcript.js";

/** Opens one of our own sessions for `work`. */
export async function withSession<T>(
  { log }: Sessions,
  id: string,
  work: (session: SessionLog) => Promise<T>,
): Promise<T> {
  const session = await log.open(id);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** The messages of a session, own or foreign. */
export async function* messagesOf(
  { log }: Sessions,
  { id, path, foreign }: SessionSummary,
): AsyncGenerator<AgentMessage> {
  if (foreign) {
    yield* fileMessages(path);
    return;
  }
  const session = await log.open(id);
  try {
    for await (const { message } of session.read({
      onBadLine: ({ problem }) => reportLine(problem.message),
    })) {
      yield message;
    }
  } finally {
    await session.close();
  }
}

/** The file of a session, up to its last complete line. */
export async function transcriptOf(
  sessions: Sessions,
  { id, path, foreign }: SessionSummary,
): Promise<Transcript> {
  if (foreign) return openTranscript(path, undefined);
  const end = await withSession(sessions, id, (session) => session.end());
  const input = {
    name: id,
    path,
    size: end,
    open: () => createReadStream(path, { end: end - 1 }),
    rereadable: true,
    close: () => undefined,
  };
  return { input, dialect: await load("openclaw") };
}
