import type { DragomanClient } from "../../client/client.js";
import type { WatchEvent } from "../../client/watch.js";
import { isObject } from "../../core/json/value.js";
import { noteOf } from "../../core/message/notes.js";
import type { AgentMessage, UserContent } from "../../core/types.js";
import type { SessionUpdate, StopReason } from "../agent-messages.js";
import type { Peer } from "../peer.js";
import { configOptions } from "./config-options.js";
import { ContextUsage } from "./context-usage.js";
import type { ElicitationModes } from "./elicitation.js";
import { askPermission } from "./permission.js";
import { Prompts } from "./prompts.js";
import { SessionUpdates } from "./updates.js";

const PAGE = 200;

export interface SessionOptions {
  client: DragomanClient;
  peer: Peer;
  /** Its key, which is also its id for the client. */
  id: string;
  /** The folder that its tools work in. */
  cwd: string;
  showsCompaction: boolean;
  elicitation: ElicitationModes;
  /** Whether the client receives all of the session: a new one, or one that is replayed. */
  isWhole: boolean;
  /** Called before each prompt: creates the session on the server, and gives it what it needs. */
  prepare(): Promise<unknown>;
  /** Fulfilled when the client has read enough of what was sent. */
  drained(): Promise<void>;
  onProblem(text: string, error?: unknown): void;
}

/** A session that is open in the client. It sends the client everything that happens in it, also what others do there. */
export class Session {
  readonly id: string;
  title: string | undefined;
  readonly #options: SessionOptions;
  readonly #updates: SessionUpdates;
  readonly #usage: ContextUsage;
  readonly #prompts: Prompts;
  readonly #closing = new AbortController();
  /** Permission requests that the client was asked, by their ids. */
  readonly #asked = new Map<string, AbortController>();
  #runId: string | undefined;

  constructor(options: SessionOptions) {
    const { client, id, cwd, showsCompaction, isWhole } = options;
    this.#options = options;
    this.id = id;
    this.#updates = new SessionUpdates({ cwd, showsCompaction });
    this.#usage = new ContextUsage(client, isWhole);
    this.#prompts = new Prompts({
      prepare: options.prepare,
      send: (content, idempotencyKey) => client.send(id, { content, mode: "followup", idempotencyKey }),
      abort: () => this.#abort(),
    });
  }

  /** Sends the client the stored messages. Returns the position after them. */
  async replay(): Promise<number> {
    const { client, drained } = this.#options;
    let after = 0;
    for (let more = true; more; ) {
      const page = await client.call("chat.history", { sessionKey: this.id, after, limit: PAGE });
      for (const { message } of page.messages) {
        this.#usage.add(message);
        for (const update of this.#updates.stored(message)) this.update(update);
      }
      ({ more, end: after } = page);
      await drained();
    }
    await this.#reportUsage();
    return after;
  }

  /** Sends the client what happens from a position on (default: from now on), until `close`. */
  follow(after?: number): void {
    this.#follow(after).catch((error: unknown) => {
      this.#options.onProblem(`could not follow session ${this.id}`, error);
      this.#prompts.fail(error);
    });
  }

  /** Sends a message to the agent. Fulfilled when the answer is complete. */
  prompt(content: UserContent[]): Promise<StopReason> {
    return this.#prompts.add(content);
  }

  /** Stops the run in progress, and the client's own messages that wait for their turn. */
  cancel(): void {
    this.#prompts.cancel();
  }

  /** Cancels the client's own prompts, and sends nothing more. */
  close(): void {
    this.#prompts.close();
    this.#closing.abort();
    for (const controller of this.#asked.values()) controller.abort();
  }

  update(update: SessionUpdate): void {
    this.#options.peer.notify("session/update", { sessionId: this.id, update });
  }

  async #follow(after: number | undefined): Promise<void> {
    const { client, drained } = this.#options;
    const { signal } = this.#closing;
    const from = after === undefined ? {} : { after };
    for await (const event of client.watch(this.id, { ...from, asks: true, signal })) {
      if (signal.aborted) return;
      await this.#observe(event);
      await drained();
    }
  }

  async #observe(event: WatchEvent): Promise<void> {
    switch (event.type) {
      case "message":
        await this.#observeMessage(event.message);
        return;
      case "permission":
        if (event.state === "asked") this.#ask(event.request);
        else this.#asked.get(event.id)?.abort();
        return;
      case "connection":
        return;
      case "run_start":
        this.#runId = event.runId;
        this.#prompts.runStarted();
        break;
      case "run_end":
        this.#runId = undefined;
        break;
      case "message_end":
        if ("error" in event.message) this.#prompts.answerFailed(event.message.error?.code);
        break;
    }
    for (const update of this.#updates.step(event)) this.update(update);
    if (event.type !== "run_end") return;
    const wasOwn = this.#prompts.runEnded(event);
    // The answer to the prompt states the failure of its run; a run of another client has no such place.
    if (!wasOwn && event.outcome === "error") {
      const text = `Error: ${event.error ?? "the answer failed"}`;
      this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    }
  }

  async #observeMessage(message: AgentMessage): Promise<void> {
    const isOwn = message.role === "user" && this.#prompts.accept(keyOf(message), this.#runId !== undefined);
    for (const update of this.#updates.stored(message, isOwn)) this.update(update);
    const note = noteOf(message);
    if (note?.type === "dragoman/meta" && note.data.model !== undefined) this.#reportModel(note.data.model);
    if (message.role !== "assistant") return;
    this.#usage.add(message);
    await this.#reportUsage();
    this.#prompts.answered(message.stopReason, this.#runId !== undefined);
  }

  async #reportUsage(): Promise<void> {
    try {
      const update = await this.#usage.update();
      if (update !== undefined) this.update(update);
    } catch (error) {
      this.#options.onProblem("could not report the usage", error);
    }
  }

  #reportModel(model: string): void {
    configOptions(this.#options.client, model).then(
      (options) => this.update({ sessionUpdate: "config_option_update", configOptions: options }),
      (error: unknown) => this.#options.onProblem("could not report the model", error),
    );
  }

  #ask(request: Parameters<typeof askPermission>[0]): void {
    const controller = new AbortController();
    this.#asked.set(request.id, controller);
    const { client, peer, cwd, elicitation, onProblem } = this.#options;
    const { signal } = controller;
    const ask = { client, peer, sessionId: this.id, cwd, elicitation, signal, onProblem };
    void askPermission(request, ask).finally(() => this.#asked.delete(request.id));
  }

  #abort(): void {
    this.#options.client
      .call("chat.abort", { sessionKey: this.id })
      .catch((error: unknown) => this.#options.onProblem(`could not stop the run of ${this.id}`, error));
  }
}

/** The idempotency key that a message was sent with. */
function keyOf({ ext }: AgentMessage): string | undefined {
  const sent = ext?.["sent"];
  const key = isObject(sent) ? sent["idempotencyKey"] : undefined;
  return typeof key === "string" ? key : undefined;
}
