import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import type { AgentMessage } from "../../core/types.js";
import { sessionsOf } from "../../log/files/session-files.js";
import { agentOf, isKey, sessionKey } from "../../log/key.js";
import { findConnector } from "../../providers/connectors.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import { modelsNamed } from "../../runtime/model-names.js";
import { notOurs } from "../../runtime/not-ours.js";
import type { Runtime } from "../../runtime/runtime.js";
import { requireFolder } from "../../runtime/session-folder.js";

export interface ConversationQuery {
  /** An id, an id prefix or a key. */
  session: string | undefined;
  /** The agent's latest chat. */
  latest: boolean;
  agent: string;
}

/** The channel in the keys of sessions created here. */
const CHANNEL = "cli";

const SAMPLE = { role: "user" as const, content: "Hi", timestamp: 0 };

/** The chat's current conversation, created with the first message: an empty chat leaves no file. */
export class Talk {
  readonly runtime: Runtime;
  agent: string;
  #current: Conversation | undefined;
  #beginning: Promise<Conversation> | undefined;
  /** The chosen model, for sessions created here. */
  #model: string | undefined;
  /** The folder that sessions created here work in. */
  #cwd: string;

  constructor(runtime: Runtime, { agent = MAIN, cwd }: { agent?: string | undefined; cwd: string }) {
    this.runtime = runtime;
    this.agent = agent;
    this.#cwd = cwd;
  }

  get current(): Conversation | undefined {
    return this.#current;
  }

  set current(conversation: Conversation | undefined) {
    this.#current = conversation;
    this.#beginning = undefined;
    if (conversation !== undefined) this.agent = conversation.session.header.agent ?? MAIN;
  }

  /** The current conversation; created if there is none. */
  begin(): Promise<Conversation> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#beginning ??= this.#create();
    return this.#beginning;
  }

  async modelName(): Promise<string> {
    const { agents } = this.runtime;
    if (this.#current === undefined) return this.#model ?? agents.modelOf(this.agent);
    return agents.modelOf(this.agent, await this.#current.meta());
  }

  /** Uses another model from the next answer on. */
  async setModel(name: string): Promise<void> {
    if (this.runtime.agents.isProgram(this.agent)) throw notOurs(this.agent, "it chooses its model itself");
    for (const { name: one } of modelsNamed(this.runtime.config, name)) {
      const model = this.runtime.connect(one);
      // Validates the provider without sending anything.
      if (findConnector(model.provider) === undefined) await model.preview({ messages: [SAMPLE] });
    }
    this.#model = name;
    await this.#current?.describe({ model: name });
  }

  /** The folder that the agent's tools work in. */
  async workspace(): Promise<string> {
    if (this.#current === undefined) return this.#cwd;
    return this.runtime.agents.workspaceOf(this.agent, await this.#current.meta());
  }

  /** Uses another folder from the next run on. */
  async setWorkspace(folder: string): Promise<void> {
    await requireFolder(folder);
    this.#cwd = folder;
    await this.#current?.describe({ cwd: folder });
  }

  async #create(): Promise<Conversation> {
    const { agent } = this;
    const key = sessionKey({ agent, channel: CHANNEL, kind: "dm", peer: newId().toLowerCase() });
    const conversation = await this.runtime.begin({ agent, key, meta: { cwd: this.#cwd } });
    if (this.#model !== undefined) await conversation.describe({ model: this.#model });
    this.current = conversation;
    return conversation;
  }
}

/** Undefined for a new conversation. */
export async function findConversation(
  runtime: Runtime,
  { session, latest, agent }: ConversationQuery,
): Promise<Conversation | undefined> {
  if (session !== undefined) return conversationNamed(runtime, session);
  if (!latest) return undefined;
  const id = await latestChat(runtime.home, agent);
  if (id !== undefined) return runtime.open(id);
  throw new DragomanError("log/no-session", `agent "${agent}" has no chat to continue`, {
    hint: "omit --continue to start one",
  });
}

/**
 * Whole ids and keys bypass the index, which is slow to update. Sessions of another program are continued in a copy.
 */
export async function conversationNamed(runtime: Runtime, name: string): Promise<Conversation> {
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

/** Skips sessions of channels and of sub-agents. */
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

/** A message and everything after it, including answers of another process. */
export async function messagesFrom(conversation: Conversation, id: string): Promise<readonly AgentMessage[]> {
  const messages = await conversation.messages();
  const first = messages.findIndex((message) => message.id === id);
  return first < 0 ? [] : messages.slice(first);
}
