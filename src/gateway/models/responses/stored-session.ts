import {
  type ConversationRecord,
  noteOf,
  type ResponseRecord,
  type SessionMeta,
} from "../../../core/message/notes.js";
import type { AgentMessage, SessionMessage } from "../../../core/types.js";
import type { SessionLog } from "../../../log/types.js";

/**
 * A session as the Responses API shows it. The messages of a response are a branch: each names the one before it in
 * `parentId`, and two responses that continue the same one have the same beginning.
 */
export class StoredSession {
  readonly header: SessionMessage;
  readonly id: string;
  /** In the order of the log. Notes are left out. */
  readonly messages: AgentMessage[] = [];
  /** By the id of their answer. */
  readonly responses = new Map<string, ResponseRecord>();
  readonly deleted = new Set<string>();
  conversation: ConversationRecord | undefined;
  readonly #byId = new Map<string, AgentMessage>();

  private constructor({ id, header }: Pick<SessionLog, "id" | "header">) {
    this.id = id;
    this.header = header;
  }

  static async read(log: SessionLog): Promise<StoredSession> {
    const session = new StoredSession(log);
    for await (const { message } of log.read()) session.#add(message);
    return session;
  }

  #add(message: AgentMessage): void {
    const note = noteOf(message);
    switch (note?.type) {
      case "dragoman/response":
        this.responses.set(note.data.answer, note.data);
        return;
      case "dragoman/conversation":
        this.conversation = note.data;
        return;
      case "dragoman/deleted":
        for (const id of note.data.ids) this.deleted.add(id);
        return;
      case undefined:
        if (message.role === "session" || message.id === undefined) return;
        this.messages.push(message);
        this.#byId.set(message.id, message);
    }
  }

  message(id: string): AgentMessage | undefined {
    return this.#byId.get(id);
  }

  /** The messages up to an answer. Of an agent, `answer` is the message that it answered. */
  historyOf(answer: string): AgentMessage[] {
    const message = this.#byId.get(answer);
    if (message?.role !== "user") return this.#branch(answer);
    const start = this.messages.indexOf(message);
    const end = this.messages.findIndex(({ role }, index) => index > start && role === "user");
    return this.messages.slice(0, end < 0 ? undefined : end);
  }

  /** The messages up to this one, each the parent of the next. */
  #branch(last: string): AgentMessage[] {
    const messages: AgentMessage[] = [];
    let next: string | undefined = last;
    while (next !== undefined) {
      const message = this.#byId.get(next);
      // In a damaged log a message can be its own ancestor, so the number of steps is limited.
      if (message === undefined || messages.length === this.messages.length) break;
      messages.push(message);
      next = message.parentId ?? undefined;
    }
    return messages.reverse();
  }
}

/** Lists of sessions show stored responses only on request. */
export const HIDDEN: SessionMeta = { archived: true };
