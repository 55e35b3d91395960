import { DragomanError } from "../core/error.js";
import { metaOf, noteOf } from "../core/message/notes.js";
import type { AgentMessage } from "../core/types.js";
import { closeOpenCalls } from "../log/recover.js";
import type { Fill, Log, NewSession, SessionLog } from "../log/types.js";

type Messages = AsyncIterable<AgentMessage> | Iterable<AgentMessage>;

/** Messages stored together. */
const BATCH = 256;

export interface ForkOptions {
  /** The last message to copy (default: all of them). */
  last?: string;
  /** A second call with the same key returns the same session. */
  key?: string;
  /** Appended to the copy. */
  after?: readonly AgentMessage[];
}

/**
 * Creates a session with another session's messages, up to one of them; the header records where they diverge.
 * The source's backlog is not copied. The copy appears whole or not at all.
 */
export async function fork(log: Log, source: SessionLog, options: ForkOptions = {}): Promise<SessionLog> {
  const { last, key, after } = options;
  if (last !== undefined) await requireMessage(source, last);
  const end = last ?? (key === undefined ? undefined : await lastIdOf(source));
  const session = copyOf(source, end);
  const fill = fillWith(messagesUpTo(source, end), after);
  if (key === undefined) return log.create(session, fill);
  const target = await log.openOrCreate({ ...session, key }, fill);
  if (target.header.parent?.session === source.id) return target;
  await target.close();
  throw new DragomanError("log/bad-key", `"${key}" is the key of a session that is not a copy of this one`);
}

/**
 * Creates a session with the messages before one of another session's, to which the other's key then belongs: what is sent to the
 * key is continued here. The other session stays as it is.
 */
export async function branchBefore(log: Log, source: SessionLog, id: string): Promise<SessionLog> {
  const kept: AgentMessage[] = [];
  for await (const { message } of source.read()) {
    if (message.id === id) break;
    if (noteOf(message)?.type !== "dragoman/inbox") kept.push(message);
  }
  const { key } = source.header;
  const session = { ...copyOf(source, kept.at(-1)?.id), ...(key === undefined ? {} : { key }) };
  return log.create(session, fillWith(kept));
}

/** The header of a copy that ends with a message. */
function copyOf({ id, header }: SessionLog, end: string | undefined): NewSession {
  const { agent = "main", title, ext } = header;
  return {
    agent,
    ...(title === undefined ? {} : { title }),
    ...(ext?.["meta"] === undefined ? {} : { meta: metaOf([header]) }),
    parent: { session: id, ...(end === undefined ? {} : { message: end }) },
  };
}

/**
 * Fills a session with messages. Open calls get a result, so that models accept the transcript; `after` follows them.
 *
 * @example
 * const session = await log.create({ agent: "main" }, fillWith(messages));
 */
export function fillWith(messages: Messages, after: readonly AgentMessage[] = []): Fill {
  return async (target) => {
    let batch: AgentMessage[] = [];
    for await (const message of messages) {
      if (message.role === "session") continue;
      batch.push(message);
      if (batch.length < BATCH) continue;
      await target.append(batch);
      batch = [];
    }
    if (batch.length > 0) await target.append(batch);
    await closeOpenCalls(target);
    if (after.length > 0) await target.append(after);
  };
}

async function lastIdOf(source: SessionLog): Promise<string | undefined> {
  return (await source.last(1))[0]?.message.id;
}

async function* messagesUpTo(source: SessionLog, last: string | undefined): AsyncGenerator<AgentMessage> {
  for await (const { message } of source.read()) {
    if (noteOf(message)?.type !== "dragoman/inbox") yield message;
    if (last !== undefined && message.id === last) return;
  }
}

async function requireMessage(source: SessionLog, id: string): Promise<void> {
  for await (const { message } of source.read()) if (message.id === id) return;
  throw new DragomanError("log/no-message", `session ${source.id} has no message ${id}`, {
    hint: `\`dragoman sessions show ${source.id} --ids\` lists them`,
  });
}
