import { createReadStream } from "node:fs";
import { load } from "../../convert/detect.js";
import type { AgentMessage } from "../../core/types.js";
import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { SessionLog } from "../../log/types.js";
import type { Sessions } from "../../runtime/sessions.js";
import { transcriptMessages } from "../../runtime/transcript.js";
import { reportLine } from "../terminal/report-line.js";
import { joinTranscript, openTranscript, type Transcript } from "../transcript.js";
import type { SessionsHere } from "./at-home.js";

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
export async function* messagesOf(here: SessionsHere, summary: SessionSummary): AsyncGenerator<AgentMessage> {
  const { id, foreign } = summary;
  if (foreign) {
    const { input, dialect } = await joinTranscript(await transcriptOf(here, summary));
    yield* transcriptMessages(input.open, dialect);
    for (const { what, why } of input.missing?.() ?? []) reportLine(`${what}: ${why}`);
    return;
  }
  const session = await here.log.open(id);
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
  here: SessionsHere,
  { id, path, foreign, source }: SessionSummary,
): Promise<Transcript> {
  if (foreign) {
    const named = source === HOME_SOURCE ? undefined : await dialectIn(here, source, path);
    return openTranscript(path, named);
  }
  const end = await withSession(here, id, (session) => session.end());
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

/** The dialect of a source's file; undefined if it is not configured and is to be detected. */
async function dialectIn(here: SessionsHere, name: string, path: string): Promise<string | undefined> {
  const source = (await here.sources()).find((one) => one.name === name);
  return (await source?.dialectOf(path))?.name;
}
