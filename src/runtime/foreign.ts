import { basename } from "node:path";
import type { Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { noteOf } from "../core/message/notes.js";
import type { AgentMessage, Loss, UserMessage } from "../core/types.js";
import { sessionKey } from "../log/key.js";
import type { Log, SessionFile, SessionLog } from "../log/types.js";
import { type ForkOptions, fillWith } from "./copy.js";
import { FirstLosses } from "./losses.js";
import { fileDialect, fileMessages } from "./transcript.js";

/** A session that another program wrote. Its dialect is detected by default. */
type ForeignSession = Pick<SessionFile, "id" | "agent" | "path" | "key"> & {
  title?: string;
  dialect?: Dialect;
};

/** The custom type of a line with another program's header, setting or queued message. */
export const SOURCE = "dragoman/source";

const WITHOUT_EFFECT = "it is kept, without effect in the copy";

/** The key of a foreign session's copy. */
function keyOfCopy({ id, agent, key }: ForeignSession): string {
  return key ?? sessionKey({ agent, channel: "foreign", kind: "dm", peer: id });
}

/**
 * Opens our session that continues a foreign one, which stays as it is. The first call creates it, with all the foreign
 * session's messages.
 */
export async function continueForeign(log: Log, foreign: ForeignSession): Promise<SessionLog> {
  const key = keyOfCopy(foreign);
  const known = await log.find(key);
  if (known !== undefined) return log.open(known);
  const messages = await messagesOf(foreign);
  return log.openOrCreate({ ...newSession(foreign), key }, fillWith(messages));
}

/** A copy of a foreign session, up to one of its messages. */
export async function forkForeign(
  log: Log,
  foreign: ForeignSession,
  { last, after }: Pick<ForkOptions, "last" | "after"> = {},
): Promise<SessionLog> {
  return log.create(newSession(foreign, last), fillWith(await messagesOf(foreign, last), after));
}

/**
 * A file's messages as its copy stores them. The file is untrusted: its header, settings and queued messages are kept in lines
 * that models are not shown and that have no effect. Otherwise a file could make the agent answer a message that its reader
 * never saw, or replace the agent's prompt.
 */
export async function* asSource(
  messages: AsyncIterable<AgentMessage>,
  onLoss: (loss: Loss) => void = () => undefined,
): AsyncGenerator<AgentMessage> {
  let index = -1;
  for await (const message of messages) {
    index++;
    const what = message.role === "session" ? undefined : effectOf(message);
    if (what !== undefined) {
      onLoss({ at: `/${index}`, what, why: WITHOUT_EFFECT, severity: "approximated" });
    }
    if (message.role === "session" || what !== undefined) yield sourceNote(message);
    else yield message.role === "user" ? withoutMarks(message) : message;
  }
}

/** The effect a line would have in one of our sessions; undefined for none. */
function effectOf(message: AgentMessage): string | undefined {
  const note = noteOf(message);
  if (note?.type === "dragoman/inbox") return "a message that waits for its turn";
  if (note?.type === "dragoman/question") return "a permission request of the session";
  if (note?.type !== "dragoman/meta") return undefined;
  const { model, systemPrompt, tools, cwd } = note.data;
  const decides = [model, systemPrompt, tools, cwd].some((setting) => setting !== undefined);
  return decides ? "a model, system prompt, tools or folder of the session" : undefined;
}

function sourceNote(message: AgentMessage): AgentMessage {
  return { role: "custom", customType: SOURCE, data: message, timestamp: message.timestamp };
}

/** Idempotency keys and delivery addresses of another system do not apply here. */
function withoutMarks(message: UserMessage): UserMessage {
  const { sent, delivery, ...ext } = message.ext ?? {};
  if (sent === undefined && delivery === undefined) return message;
  const source = { ...(sent === undefined ? {} : { sent }), ...(delivery === undefined ? {} : { delivery }) };
  return { ...message, ext: { ...ext, source } };
}

/** The parent is the file's name if its key now stands for the copy. */
function newSession({ id, agent, key, path, title }: ForeignSession, last?: string) {
  const parent = {
    session: key === undefined ? id : basename(path),
    ...(last === undefined ? {} : { message: last }),
  };
  return { agent, ...(title === undefined ? {} : { title }), parent };
}

/** Reads all messages before a session is created, so that an unreadable file leaves no partial copy. */
async function messagesOf(foreign: ForeignSession, last?: string): Promise<AgentMessage[]> {
  const { id, path } = foreign;
  const dialect = foreign.dialect ?? (await fileDialect(path));
  const losses = new FirstLosses("import", dialect.name);
  const messages: AgentMessage[] = [];
  const onLoss = (loss: Loss) => losses.add(loss);
  for await (const message of asSource(fileMessages(path, dialect, { onLoss }), onLoss)) {
    messages.push(message);
    if (last !== undefined && message.id === last) return messages;
  }
  if (last === undefined) return [...messages, ...losses.note(Date.now())];
  throw new DragomanError("log/no-message", `session ${id} has no message ${last}`, {
    hint: `\`dragoman sessions show ${id} --ids\` lists them`,
  });
}
