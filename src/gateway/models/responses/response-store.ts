import type { Api } from "../../../core/api/provider.js";
import { DragomanError } from "../../../core/error.js";
import { newId } from "../../../core/ids.js";
import { type Note, noteMessage, type ResponseRecord } from "../../../core/message/notes.js";
import type { AgentMessage } from "../../../core/types.js";
import type { NewSession } from "../../../log/types.js";
import { MAIN } from "../../../runtime/agents.js";
import { mayUse, STORE_AGENT } from "../../auth/permit.js";
import type { Caller, Gateway } from "../../types.js";
import { type Place, placeOfResponse, sessionOfConversation } from "./ids.js";
import { HIDDEN, StoredSession } from "./stored-session.js";

export interface StoredResponse {
  session: StoredSession;
  record: ResponseRecord;
  /** Whether an agent answered: then `record.answer` is the message that it answered. */
  isAgents: boolean;
}

/** The responses and conversations of the Responses API, in the log of sessions. */
export class ResponseStore {
  /** The API whose items the messages are. */
  readonly api: () => Promise<Api>;
  readonly #gateway: Pick<Gateway, "runtime" | "now">;

  constructor(gateway: Pick<Gateway, "runtime" | "now">, api: () => Promise<Api>) {
    this.#gateway = gateway;
    this.api = api;
  }

  /** A response by its id; undefined if it is not stored, deleted, or not the caller's. */
  async response(id: string, caller: Caller): Promise<StoredResponse | undefined> {
    const place = placeOfResponse(id);
    const session = place === undefined ? undefined : await this.session(place.session);
    const record = place === undefined ? undefined : session?.responses.get(place.message);
    if (session === undefined || record === undefined || session.deleted.has(record.answer)) return undefined;
    return owns(caller, session, record.token)
      ? { session, record, isAgents: session.message(record.answer)?.role !== "assistant" }
      : undefined;
  }

  /** A conversation by its id; undefined if it does not exist, is deleted, or is not the caller's. */
  async conversation(id: string, caller: Caller): Promise<StoredSession | undefined> {
    const name = sessionOfConversation(id);
    const session = name === undefined ? undefined : await this.session(name);
    if (session?.conversation === undefined || session.deleted.has(session.id)) return undefined;
    return owns(caller, session, session.conversation.token) ? session : undefined;
  }

  /** The message at a place and its session, if the caller may see it. */
  async message(
    { session: name, message: id }: Place,
    caller: Caller,
  ): Promise<{ session: StoredSession; message: AgentMessage } | undefined> {
    const session = await this.session(name);
    const message = session?.message(id);
    if (session === undefined || message === undefined || !ownsAny(caller, session)) return undefined;
    return { session, message };
  }

  async session(id: string): Promise<StoredSession | undefined> {
    try {
      const log = await this.#gateway.runtime.log.open(id);
      try {
        return await StoredSession.read(log);
      } finally {
        await log.close();
      }
    } catch (error) {
      if (error instanceof DragomanError && error.code === "log/no-session") return undefined;
      throw error;
    }
  }

  /** A new session with these messages. It appears whole or not at all. */
  async create(
    { id = newId(), parent }: Pick<NewSession, "id" | "parent">,
    messages: readonly AgentMessage[],
  ): Promise<string> {
    const hidden = this.note({ type: "dragoman/meta", data: HIDDEN });
    const created = await this.#gateway.runtime.log.create(
      { agent: STORE_AGENT, id, ...(parent === undefined ? {} : { parent }) },
      async (session) => {
        await session.append([hidden, ...messages]);
      },
    );
    await created.close();
    return id;
  }

  async append(id: string, messages: readonly AgentMessage[]): Promise<void> {
    const session = await this.#gateway.runtime.log.open(id);
    try {
      await session.append(messages);
    } finally {
      await session.close();
    }
  }

  note(note: Note): AgentMessage {
    return noteMessage(note, this.#gateway.now());
  }
}

/** The answers of an agent belong to the users of the agent, those of a model to the token that asked for them. */
function owns(caller: Caller, { header }: StoredSession, token: string): boolean {
  const { agent = MAIN } = header;
  return mayUse(caller, agent) || (agent === STORE_AGENT && caller.token === token);
}

function ownsAny(caller: Caller, session: StoredSession): boolean {
  const tokens = [
    ...[...session.responses.values()].map(({ token }) => token),
    ...(session.conversation === undefined ? [] : [session.conversation.token]),
  ];
  return tokens.some((token) => owns(caller, session, token));
}
