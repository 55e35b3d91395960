import { createReadStream } from "node:fs";
import { load } from "../../convert/detect.js";
import type { Dialect } from "../../core/dialect.js";
import type { AgentMessage } from "../../core/types.js";
import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { SessionLog } from "../../log/types.js";
import { joinSession } from "../../runtime/companions/companions.js";
import type { Sessions } from "../../runtime/sessions.js";
import { transcriptMessages } from "../../runtime/transcript.js";
import type { Input } from "../files/input.js";
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
    const { input, dialect } = await transcriptOf(here, summary);
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

/** A session's transcript: all files of a foreign one, and the file of our own up to its last complete line. */
export async function transcriptOf(
  here: SessionsHere,
  { id, path, foreign, source }: SessionSummary,
): Promise<Transcript> {
  if (foreign) {
    const { dialect } = await knownDialect(here, { path, source });
    return foreignTranscript(path, dialect);
  }
  const end = await withSession(here, id, (session) => session.end());
  const open = () => createReadStream(path, { end: end - 1 });
  return { input: inputOf(id, path, open, end), dialect: await load("openclaw") };
}

/** A session of a known dialect may have no file of its own. */
async function foreignTranscript(path: string, dialect: Dialect | undefined): Promise<Transcript> {
  const joined = dialect === undefined ? undefined : await joinSession(path, dialect.name);
  if (dialect === undefined || joined === undefined) {
    return joinTranscript(await openTranscript(path, dialect?.name));
  }
  return { input: { ...inputOf(path, path, joined.open), missing: joined.missing }, dialect };
}

function inputOf(name: string, path: string, open: Input["open"], size?: number): Input {
  return { name, path, size, open, rereadable: true, close: () => undefined };
}

/** The dialect of a source's session; absent for one of the home, and for a source that is no longer configured. */
export async function knownDialect(
  here: SessionsHere,
  { source: name, path }: Pick<SessionSummary, "source" | "path">,
): Promise<{ dialect?: Dialect }> {
  const sources = name === HOME_SOURCE ? [] : await here.sources();
  const source = sources.find((one) => one.name === name);
  return source === undefined ? {} : { dialect: await source.dialectOf(path) };
}
