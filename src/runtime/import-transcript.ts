import type { Dialect } from "../core/dialect.js";
import type { Loss, SessionMessage } from "../core/types.js";
import type { Log, NewSession, SessionLog } from "../log/types.js";
import { fillWith } from "./copy.js";
import { asSource } from "./foreign.js";
import { FirstLosses } from "./losses.js";
import { type TranscriptOptions, transcriptMessages } from "./transcript.js";

/** A transcript in any dialect. `open` is called several times. */
export interface TranscriptSource {
  open(): AsyncIterable<Uint8Array>;
  dialect: Dialect;
  /** For a session in several files: what was not found, once the bytes have been read. */
  missing?: (() => Loss[]) | undefined;
}

/** What a transcript would become. */
export interface Readable {
  messages: number;
  header: SessionMessage | undefined;
  /** The first loss of each cause, to be stored with the messages. */
  losses: FirstLosses;
}

/** Reads everything before anything is stored, so that an unreadable file leaves no partial session. */
export async function readThrough(
  { open, dialect, missing }: TranscriptSource,
  options: TranscriptOptions = {},
): Promise<Readable> {
  const losses = new FirstLosses("import", dialect.name);
  const onLoss = (loss: Loss) => {
    losses.add(loss);
    options.onLoss?.(loss);
  };
  let messages = 0;
  let header: SessionMessage | undefined;
  const read = async function* () {
    for await (const message of transcriptMessages(open, dialect, { ...options, onLoss })) {
      if (message.role === "session") header ??= message;
      else messages++;
      yield message;
    }
  };
  for await (const _ of asSource(read(), onLoss));
  for (const loss of missing?.() ?? []) onLoss(loss);
  return { messages, header, losses };
}

/** Stores a transcript that was read through as a session of ours. */
export async function importTranscript(
  log: Log,
  { open, dialect }: TranscriptSource,
  session: NewSession,
  { header, losses }: Readable,
  options: Pick<TranscriptOptions, "leaf"> = {},
): Promise<SessionLog> {
  const title = session.title ?? header?.title;
  const imported = asSource(transcriptMessages(open, dialect, options));
  return log.create(
    { ...session, ...(title === undefined ? {} : { title }) },
    fillWith(imported, losses.note(Date.now())),
  );
}
