import { basename } from "node:path";
import { DragomanError } from "../core/error.js";
import type { AgentMessage } from "../core/types.js";
import { sessionKey } from "../log/key.js";
import type { Log, SessionFile, SessionLog } from "../log/types.js";
import { type ForkOptions, filling } from "./copy.js";
import { FirstLosses } from "./losses.js";
import { fileDialect, fileMessages } from "./transcript.js";

/** A session that another program wrote. */
type ForeignSession = Pick<SessionFile, "id" | "agent" | "path" | "key"> & { title?: string };

/** The type of the line that holds the header another program wrote. */
export const SOURCE = "dragoman/source";

/** The key by which the copy of a foreign session is found again. */
function keyOfCopy({ id, agent, key }: ForeignSession): string {
  return key ?? sessionKey({ agent, channel: "foreign", kind: "dm", peer: id });
}

/**
 * A session of ours that continues one of another program's, which stays as it is. It is made the first time it is asked
 * for, with all the messages of the other.
 */
export async function continueForeign(log: Log, foreign: ForeignSession): Promise<SessionLog> {
  const key = keyOfCopy(foreign);
  const known = await log.find(key);
  if (known !== undefined) return log.open(known);
  const messages = await messagesOf(foreign);
  return log.openOrCreate({ ...newSession(foreign), key }, filling(messages));
}

/** A copy of what another program wrote, up to one of its messages. */
export async function forkForeign(
  log: Log,
  foreign: ForeignSession,
  { last, after }: Pick<ForkOptions, "last" | "after"> = {},
): Promise<SessionLog> {
  return log.create(newSession(foreign, last), filling(await messagesOf(foreign, last), after));
}

/** A copy of what another program wrote keeps that program's header, in a line that no model sees. */
export async function* keepingHeader(messages: AsyncIterable<AgentMessage>): AsyncGenerator<AgentMessage> {
  for await (const message of messages) {
    if (message.role !== "session") yield message;
    else yield { role: "custom", customType: SOURCE, data: message, timestamp: message.timestamp };
  }
}

/** The file is named where its key now names the copy. */
function newSession({ id, agent, key, path, title }: ForeignSession, last?: string) {
  const parent = {
    session: key === undefined ? id : basename(path),
    ...(last === undefined ? {} : { message: last }),
  };
  return { agent, ...(title === undefined ? {} : { title }), parent };
}

/** All of them, before anything is made: what cannot be read to its end leaves no half of a session. */
async function messagesOf({ id, path }: ForeignSession, last?: string): Promise<AgentMessage[]> {
  const losses = new FirstLosses("import", (await fileDialect(path)).name);
  const messages: AgentMessage[] = [];
  for await (const message of keepingHeader(fileMessages(path, { onLoss: (loss) => losses.add(loss) }))) {
    messages.push(message);
    if (last !== undefined && message.id === last) return messages;
  }
  if (last === undefined) return [...messages, ...losses.note(Date.now())];
  throw new DragomanError("log/no-message", `session ${id} has no message ${last}`, {
    hint: `\`dragoman sessions show ${id} --ids\` lists them`,
  });
}
