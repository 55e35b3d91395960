import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { metaOf } from "../../core/message/notes.js";
import { sessionKey } from "../../log/key.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { Runtime } from "../../runtime/runtime.js";
import { mayUse } from "../auth/permit.js";
import { Awaited } from "../awaited.js";
import { notFound, refuse } from "../refusals.js";
import type { Permit, RefusedError } from "../types.js";
import type { ThreadBody } from "./bodies.js";
import { sessionOfThread } from "./thread-id.js";

/** A session under the UUID that a client gave it, or a sub-agent's session under its own id as a UUID. */
export interface Thread {
  id: string;
  agent: string;
  conversation: Conversation;
}

/** No session has the id, or another program wrote it. */
const NOT_OURS: ReadonlySet<string> = new Set(["log/no-session", "log/foreign"]);

/** Existing threads, and those that clients wait for. */
export class Threads {
  readonly #runtime: Runtime;
  /** The threads' sessions. The runtime has their conversations, and closes unused ones. */
  readonly #locations = new Map<string, { agent: string; session: string }>();
  /** The last operation on each id: operations on one id run one after another, so that a thread is made once. */
  readonly #making = new Map<string, Promise<unknown>>();
  readonly #awaited = new Awaited<Thread>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Undefined also for a thread of an agent that the caller may not use. */
  async find(id: string, permit: Permit): Promise<Thread | undefined> {
    const thread = await this.#find(id);
    return thread !== undefined && mayUse(permit, thread.agent) ? thread : undefined;
  }

  async #find(id: string): Promise<Thread | undefined> {
    const place = this.#locations.get(id) ?? (await this.#locate(id));
    if (place === undefined) return undefined;
    this.#locations.set(id, place);
    return { id, agent: place.agent, conversation: await this.#runtime.open(place.session) };
  }

  /** A thread that has not ended; `thread_not_found` if there is none. */
  async active(id: string, permit: Permit): Promise<Thread> {
    const thread = await this.find(id, permit);
    if (thread === undefined) throw noThread(id);
    if (await isEnded(thread)) throw refuse("conflict", "the thread has ended");
    return thread;
  }

  /** An existing thread must have been made with the same body. */
  make(id: string, body: ThreadBody): Promise<{ thread: Thread; isNew: boolean }> {
    const before = this.#making.get(id) ?? Promise.resolve();
    const making = before.then(() => this.#make(id, body));
    const settled = making
      .catch(() => undefined)
      .then(() => {
        if (this.#making.get(id) === settled) this.#making.delete(id);
      });
    this.#making.set(id, settled);
    return making;
  }

  /** Calls back once, when the thread is made, if the caller may use its agent. Returns a function that stops waiting. */
  whenMade(id: string, permit: Permit, callback: (thread: Thread) => void): () => void {
    return this.#awaited.add(id, (thread) => {
      if (mayUse(permit, thread.agent)) callback(thread);
    });
  }

  async #make(id: string, body: ThreadBody): Promise<{ thread: Thread; isNew: boolean }> {
    const known = await this.#find(id);
    if (known !== undefined) {
      if (await isEnded(known)) throw refuse("conflict", "the thread with this id has ended; use another id");
      if (bodyOf(known) !== JSON.stringify(ordered(body))) {
        throw refuse("conflict", "the thread exists with a different configuration");
      }
      return { thread: known, isNew: false };
    }
    const { agent, title, ...meta } = body;
    const conversation = await this.#runtime.begin(defined({ key: keyOf(id, agent), agent, meta, title }));
    this.#locations.set(id, { agent, session: conversation.session.id });
    const thread = { id, agent, conversation };
    this.#awaited.resolve(id, thread);
    return { thread, isNew: true };
  }

  async #locate(id: string): Promise<{ agent: string; session: string } | undefined> {
    for (const agent of this.#runtime.agents.ids) {
      const session = await this.#runtime.log.find(keyOf(id, agent));
      if (session !== undefined) return { agent, session };
    }
    return this.#locateSubAgent(sessionOfThread(id));
  }

  /** A sub-agent works in a session without a name; the thread's id is the session's id. */
  async #locateSubAgent(session: string): Promise<{ agent: string; session: string } | undefined> {
    try {
      const { header } = (await this.#runtime.open(session)).session;
      return header.parent?.toolCallId === undefined ? undefined : { agent: header.agent ?? MAIN, session };
    } catch (error) {
      if (error instanceof DragomanError && NOT_OURS.has(error.code)) return undefined;
      throw error;
    }
  }
}

/** An archived session stays readable and accepts no more messages. */
export async function isEnded({ conversation }: Thread): Promise<boolean> {
  return (await conversation.meta()).archived === true;
}

export function noThread(id: string): RefusedError {
  return notFound(`there is no thread ${id}`);
}

function keyOf(id: string, agent: string): string {
  return sessionKey({ agent, channel: "timbal", kind: "dm", peer: id });
}

/** The body that the thread was made with, from its first line. */
function bodyOf({ agent, conversation }: Thread): string {
  const { header } = conversation.session;
  return JSON.stringify(ordered(defined({ ...metaOf([header]), agent, title: header.title })));
}

function ordered({ agent, title, model, tools, systemPrompt }: ThreadBody): unknown[] {
  return [agent, title, model, tools, systemPrompt];
}
