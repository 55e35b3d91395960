import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import type { AgentMessage } from "../../core/types.js";
import { agentOf, isKey, sessionKey } from "../../log/key.js";
import { sessionsOf } from "../../log/session-files.js";
import { findConnector } from "../../providers/connectors.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { Runtime } from "../../runtime/runtime.js";

/** Which conversation is wanted. */
export interface Wanted {
  /** An id, the beginning of one, or a key. */
  session?: string;
  /** The latest of the agent. */
  latest: boolean;
  agent: string;
}

/** The channel in the keys of the sessions that begin here. */
const CHANNEL = "cli";

/** The conversation that is talked to. It is made with the first message: a chat in which nothing was said leaves no file. */
export class Talk {
  readonly runtime: Runtime;
  agent: string;
  #current: Conversation | undefined;
  #beginning: Promise<Conversation> | undefined;
  /** What was chosen here, for the sessions that begin here. */
  #model: string | undefined;

  constructor(runtime: Runtime, agent = MAIN) {
    this.runtime = runtime;
    this.agent = agent;
  }

  get current(): Conversation | undefined {
    return this.#current;
  }

  set current(conversation: Conversation | undefined) {
    this.#current = conversation;
    this.#beginning = undefined;
    if (conversation !== undefined) this.agent = conversation.session.header.agent ?? MAIN;
  }

  /** The conversation, which begins if there is none. */
  begin(): Promise<Conversation> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#beginning ??= this.#fresh();
    return this.#beginning;
  }

  async modelName(): Promise<string> {
    const { agents } = this.runtime;
    if (this.#current === undefined) return this.#model ?? agents.modelOf(this.agent);
    return agents.modelOf(this.agent, await this.#current.meta());
  }

  /** Has this session answered by another model from the next answer on. */
  async choose(name: string): Promise<void> {
    const model = this.runtime.connect(name);
    // Looks the provider up, and sends nothing.
    if (findConnector(model.provider) === undefined) await model.preview({ messages: [] });
    this.#model = name;
    await this.#current?.describe({ model: name });
  }

  async #fresh(): Promise<Conversation> {
    const { agent } = this;
    const key = sessionKey({ agent, channel: CHANNEL, kind: "dm", peer: newId().toLowerCase() });
    const conversation = await this.runtime.begin({ agent, key });
    if (this.#model !== undefined) await conversation.describe({ model: this.#model });
    this.current = conversation;
    return conversation;
  }
}

/** Undefined when a fresh one is wanted. */
export async function findConversation(
  runtime: Runtime,
  { session, latest, agent }: Wanted,
): Promise<Conversation | undefined> {
  if (session !== undefined) return conversationNamed(runtime, session);
  if (!latest) return undefined;
  const id = await latestChat(runtime.home, agent);
  if (id !== undefined) return runtime.open(id);
  throw new DragomanError("log/no-session", `agent "${agent}" has no chat that could be continued`, {
    hint: "leave --continue out to begin one",
  });
}

/**
 * Only what is neither a whole id nor a key is looked up in the index, which takes its time. What another program wrote is
 * continued in a copy.
 */
async function conversationNamed(runtime: Runtime, name: string): Promise<Conversation> {
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(name)) return runtime.open(name);
  if (isKey(name)) return runtime.begin({ agent: agentOf(name), key: name });
  await runtime.catalogue.update();
  const found = await runtime.catalogue.get(name);
  const copy = found?.foreign === true ? await runtime.continueForeign(found.id) : undefined;
  if (copy !== undefined) return copy;
  if (found !== undefined) return runtime.open(found.id);
  throw new DragomanError("log/no-session", `there is no session ${JSON.stringify(name)}`, {
    hint: "`dragoman sessions` lists them",
  });
}

/** Neither of a channel nor the work of a helper. */
async function latestChat(home: string, agent: string): Promise<string | undefined> {
  let latest: { id: string; modified: number } | undefined;
  const prefix = `agent:${agent}:${CHANNEL}:`;
  for await (const { id, modified, header } of sessionsOf(home, agent)) {
    if (header === undefined || header.parent?.toolCallId !== undefined) continue;
    if (header.key !== undefined && !header.key.startsWith(prefix)) continue;
    if (latest === undefined || modified > latest.modified) latest = { id, modified };
  }
  return latest?.id;
}

/** A message and all that came after it. So what another process has answered, which had the session first, is seen. */
export async function saidFrom(conversation: Conversation, id: string): Promise<readonly AgentMessage[]> {
  const messages = await conversation.messages();
  const first = messages.findIndex((message) => message.id === id);
  return first < 0 ? [] : messages.slice(first);
}
