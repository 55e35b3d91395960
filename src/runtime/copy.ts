import { DragomanError } from "../core/error.js";
import { metaOf, noteOf } from "../core/notes.js";
import type { AgentMessage } from "../core/types.js";
import { closeOpenCalls } from "../log/recover.js";
import type { Log, NewSession, SessionLog } from "../log/types.js";

/** How many messages are stored together. */
const BATCH = 256;

/**
 * A session of its own with the messages of another up to one of them. Both remember where they parted.
 * What waited in the other's inbox stays there.
 */
export async function fork(log: Log, source: SessionLog, last?: string): Promise<SessionLog> {
  const { agent = "main" } = source.header;
  const parent = { session: source.id, ...(last === undefined ? {} : { message: last }) };
  if (last !== undefined) await mustHave(source, last);
  const title = source.header.title === undefined ? {} : { title: source.header.title };
  const meta = source.header.ext?.["meta"] === undefined ? {} : { meta: metaOf([source.header]) };
  return fill(log, { agent, ...title, ...meta, parent }, messagesUpTo(source, last));
}

/** A session with these messages. Calls that have no result get one, so that models accept it. */
export async function fill(
  log: Log,
  session: NewSession,
  messages: AsyncIterable<AgentMessage>,
): Promise<SessionLog> {
  const target = await log.create(session);
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
  return target;
}

async function* messagesUpTo(source: SessionLog, last: string | undefined): AsyncGenerator<AgentMessage> {
  for await (const { message } of source.read()) {
    if (noteOf(message)?.type === "dragoman/inbox") continue;
    yield message;
    if (last !== undefined && message.id === last) return;
  }
}

async function mustHave(source: SessionLog, id: string): Promise<void> {
  for await (const { message } of source.read()) if (message.id === id) return;
  throw new DragomanError("log/no-message", `session ${source.id} has no message ${id}`, {
    hint: `\`dragoman sessions show ${source.id} --ids\` lists them`,
  });
}
