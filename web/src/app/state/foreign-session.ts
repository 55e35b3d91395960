import type { DragomanClient, Result, RpcSessionInfo } from "dragoman/client";
import { type AgentMessage, DragomanError } from "dragoman/core";
import { errorText } from "./plain-words.js";
import { Store } from "./store.js";

type Added = Result<"tail.next">["messages"];

/** The messages that are loaded of a session; the viewer shows all of a longer one. */
const LAST = 1000;

/** A session of another program: read, and followed while the program writes it. */
export class ForeignSession {
  readonly messages = new Store<readonly AgentMessage[] | undefined>(undefined);
  readonly info = new Store<RpcSessionInfo | undefined>(undefined);
  /** Why the session cannot be shown. */
  readonly problem = new Store<string | undefined>(undefined);
  readonly #client: DragomanClient;
  readonly #named: { sessionKey: string; source?: string };
  #hasLeft = false;
  #tail: string | undefined;

  constructor(client: DragomanClient, id: string, source: string | undefined) {
    this.#client = client;
    this.#named = { sessionKey: id, ...(source === undefined ? {} : { source }) };
  }

  /** Resolves when the session is left. */
  async follow(): Promise<void> {
    try {
      this.info.set((await this.#client.call("sessions.get", this.#named)).session);
      // A tail ends with its connection.
      while (!this.#hasLeft) await this.#followOnce().catch(ignoreDisconnection);
    } catch (error) {
      if (!this.#hasLeft) this.problem.set(errorText(error));
    }
  }

  leave(): void {
    this.#hasLeft = true;
    const tail = this.#tail;
    if (tail !== undefined) this.#client.call("tail.close", { tail }).catch(() => undefined);
  }

  async #followOnce(): Promise<void> {
    const { tail, messages } = await this.#client.call("tail.open", { ...this.#named, last: LAST });
    this.#tail = tail;
    this.messages.set(withAdded([], messages));
    if (this.#hasLeft) this.leave();
    while (!this.#hasLeft) {
      const added = (await this.#client.call("tail.next", { tail })).messages;
      if (added.length > 0) this.messages.update((before) => withAdded(before ?? [], added));
    }
  }
}

/** The messages with what was added: a message that continues the last one completes it. */
export function withAdded(before: readonly AgentMessage[], added: Added): AgentMessage[] {
  const messages = [...before];
  for (const { message, continues } of added) {
    const last = messages.at(-1);
    const isPart = continues && message.role === "assistant" && last?.role === "assistant";
    if (isPart)
      messages[messages.length - 1] = { ...message, content: [...last.content, ...message.content] };
    else messages.push(message);
  }
  return messages;
}

function ignoreDisconnection(error: unknown): void {
  if (!(error instanceof DragomanError) || error.code !== "client/disconnected") throw error;
}
