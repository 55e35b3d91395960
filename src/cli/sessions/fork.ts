import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import { fill, fork } from "../../runtime/copy.js";
import type { Sessions } from "../../runtime/sessions.js";
import { parseArguments } from "../arguments.js";
import { tell } from "../tell.js";
import { atHome, homeOption } from "./at-home.js";
import { keepingHeader, messagesOf, withSession } from "./contents.js";
import { describe } from "./describe.js";
import { findSession } from "./find.js";
import { plainLine } from "./plain.js";
import { writeResult } from "./result.js";

const COMMAND = "sessions fork";

export async function run(args: string[]): Promise<number> {
  const { values, file: name } = parseArguments(
    COMMAND,
    args,
    { ...homeOption, at: { type: "string" }, title: { type: "string" }, json: { type: "boolean" } },
    "session",
  );
  await atHome(values.home, async (sessions) => {
    const source = await findSession(sessions, COMMAND, name);
    const { at, title } = values;
    const copy = source.foreign ? await adopt(sessions, source, at) : await copyOf(sessions, source, at);
    // The copy has the notes of the original too; that one being archived says nothing of this one.
    if (title !== undefined || source.archived) {
      await describe(copy, {
        ...(title === undefined ? {} : { title }),
        ...(source.archived ? { archived: false } : {}),
      });
    }
    await copy.close();
    const { parent } = copy.header;
    await writeResult(values.json, copy.id, { session: copy.id, parent });
    const end = at === undefined ? "" : ` up to ${at}`;
    tell(`a copy of ${plainLine(source.id)}${end}; the original stays as it is`);
  });
  return 0;
}

async function copyOf(sessions: Sessions, { id }: SessionSummary, last: string | undefined) {
  return withSession(sessions, id, (session) => fork(sessions.log, session, last));
}

/** What another program wrote becomes a session of ours. */
async function adopt(sessions: Sessions, source: SessionSummary, last: string | undefined) {
  const { id, agent, title } = source;
  if (last !== undefined) await mustHave(sessions, source, last);
  return fill(
    sessions.log,
    {
      agent,
      ...(title === undefined ? {} : { title }),
      parent: { session: id, ...(last === undefined ? {} : { message: last }) },
    },
    keepingHeader(upTo(messagesOf(sessions, source), last)),
  );
}

async function mustHave(sessions: Sessions, source: SessionSummary, id: string): Promise<void> {
  for await (const message of messagesOf(sessions, source)) if (message.id === id) return;
  throw new DragomanError("log/no-message", `session ${source.id} has no message ${id}`, {
    hint: `\`dragoman sessions show ${source.id} --ids\` lists them`,
  });
}

async function* upTo(
  messages: AsyncIterable<AgentMessage>,
  last: string | undefined,
): AsyncGenerator<AgentMessage> {
  for await (const message of messages) {
    yield message;
    if (last !== undefined && message.id === last) return;
  }
}
