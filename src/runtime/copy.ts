import { DragomanError } from "../core/error.js";
import { metaOf, noteOf } from "../core/notes.js";
import type { AgentMessage } from "../core/types.js";
import { closeOpenCalls } from "../log/recover.js";
import type { Log, NewSession, SessionLog } from "../log/types.js";

type Messages = AsyncIterable<AgentMessage> | Iterable<AgentMessage>;

/** How many messages are stored together. */
const BATCH = 256;

/**
 * A session of its own with the messages of another up to one of them. Both remember where they parted.
 * What waited in the other's inbox stays there. Whoever asks again with the same key gets the same session, also when the
 * process that made it was killed before all of it was there.
 */
export async function fork(log: Log, source: SessionLog, last?: string, key?: string): Promise<SessionLog> {
  const { agent = "main" } = source.header;
  if (last !== undefined) await mustHave(source, last);
  const end = last ?? (key === undefined ? undefined : await lastIdOf(source));
  const parent = { session: source.id, ...(end === undefined ? {} : { message: end }) };
  const title = source.header.title === undefined ? {} : { title: source.header.title };
  const meta = source.header.ext?.["meta"] === undefined ? {} : { meta: metaOf([source.header]) };
  const session = { agent, ...title, ...meta, parent };
  if (key === undefined) return fill(log, session, messagesUpTo(source, end));
  const target = await log.openOrCreate({ ...session, key });
  const { parent: made } = target.header;
  if (made?.session !== source.id) {
    throw new DragomanError("log/bad-key", `"${key}" is the key of a session that is no copy of this one`);
  }
  return copyInto(target, messagesUpTo(source, made.message));
}

/** A session with these messages. Calls that have no result get one, so that models accept it. */
export async function fill(log: Log, session: NewSession, messages: Messages): Promise<SessionLog> {
  return copyInto(await log.create(session), messages);
}

/** Those that are there already are passed over. Of two who do it at the same time, one is refused. */
export async function copyInto(target: SessionLog, messages: Messages): Promise<SessionLog> {
  const there = new Set<string>();
  let expect = 0;
  for await (const { message, next } of target.read()) {
    if (message.id !== undefined) there.add(message.id);
    expect = next;
  }
  const began = expect;
  let batch: AgentMessage[] = [];
  const store = async () => {
    if (batch.length > 0) expect = (await target.append(batch, { expect })).next;
    batch = [];
  };
  for await (const message of messages) {
    if (message.role === "session" || (message.id !== undefined && there.has(message.id))) continue;
    batch.push(message);
    if (batch.length === BATCH) await store();
  }
  await store();
  // In one that was whole before, a tool may be running.
  if (expect > began) await closeOpenCalls(target);
  return target;
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

async function mustHave(source: SessionLog, id: string): Promise<void> {
  for await (const { message } of source.read()) if (message.id === id) return;
  throw new DragomanError("log/no-message", `session ${source.id} has no message ${id}`, {
    hint: `\`dragoman sessions show ${source.id} --ids\` lists them`,
  });
}
