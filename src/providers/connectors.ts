import type { EmbeddingOptions, EmbeddingResult } from "../core/api/embedding-api.js";
import type { CallOptions, Context, Origin } from "../core/api/provider.js";
import { ABORTED, untilAborted } from "../core/async/until-aborted.js";
import { DragomanError, wordsOf } from "../core/error.js";
import { emptyUsage, type Tokens } from "../core/message/usage.js";
import { AnswerBuilder, answerHeader } from "../core/stream/builder.js";
import type { LiveAssistantMessageEvent, StopReason, ToolCall } from "../core/types.js";
import { CallControl } from "./call-control.js";
import { withFailureCode } from "./failure.js";
import type { World } from "./world.js";

/** The events of a clawtools connector. They belong to the block that was started last. */
export type ConnectorEvent =
  | { type: "start" }
  | { type: "text_start" | "thinking_start" }
  | { type: "text_delta" | "thinking_delta" | "toolcall_delta"; delta: string }
  | { type: "text_end" | "thinking_end" }
  | { type: "toolcall_start"; id?: string; name?: string }
  | { type: "toolcall_end"; toolCall?: Omit<ToolCall, "type"> & { type?: "toolCall" } }
  | { type: "done"; stopReason?: StopReason; reason?: StopReason; usage?: Partial<Tokens> }
  | { type: "error"; error: unknown };

export interface ModelName {
  provider: string;
  id: string;
}

/** `provider/model` */
export function nameOf({ provider, id }: ModelName): string {
  return `${provider}/${id}`;
}

/**
 * Connects models that we do not support. Once it is registered, `connect("<name>/<model>")` uses it.
 *
 * @example
 * registerConnector("acme", { stream: async function* (model, context) { yield { type: "text_delta", delta: "hi" }; … } });
 */
export interface Connector {
  stream(
    model: ModelName,
    context: Context,
    options: CallOptions & { signal?: AbortSignal },
  ): AsyncIterable<ConnectorEvent>;
  /** Vectors for texts, in the same order; absent if it has no embeddings. */
  embed?(
    model: ModelName,
    texts: readonly string[],
    options: EmbeddingOptions & { signal?: AbortSignal },
  ): Promise<EmbeddingResult>;
}

const registered = new Map<string, () => Promise<Connector>>([
  ["acp", async () => (await import("./program-agent.js")).programAgent],
  ["demo", async () => (await import("./demo/index.js")).demo],
]);

export function registerConnector(name: string, connector: Connector): void {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    throw new DragomanError("provider/unknown", `"${name}" cannot be the name of a provider`, {
      hint: "use lower-case letters, digits and dashes",
    });
  }
  registered.set(name, async () => connector);
}

/** Loads the connector with this name; undefined if there is none. */
export function findConnector(name: string): (() => Promise<Connector>) | undefined {
  return registered.get(name);
}

export interface ConnectorCall {
  /** The value of `AssistantMessage.api`. */
  api: string;
  origin: Origin;
  idleMs: number;
  signal: AbortSignal | undefined;
  open(signal: AbortSignal): AsyncIterable<ConnectorEvent>;
  /** Receives every event last. */
  refine(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
}

/** A connector's events as ours, with exactly one terminal event. Aborts when no event arrives for too long. */
export async function* connectorEvents(
  call: ConnectorCall,
  world: World,
): AsyncGenerator<IterableIterator<LiveAssistantMessageEvent>> {
  const { api, origin, idleMs, signal, refine } = call;
  const answer = new ConnectorAnswer(api, origin);
  const control = new CallControl(signal, idleMs, world);
  const { watchdog } = control;
  watchdog.feed();
  let begun = false;
  let thrown: unknown;
  try {
    for await (const event of eachUntilAborted(call.open(control.signal), control.signal)) {
      begun = true;
      watchdog.pause();
      answer.push(event);
      yield answer
        .drain()
        .map((each) => refine(withFailureCode(each)))
        .values();
      if (answer.ended) return;
      watchdog.feed();
    }
    answer.stop("the stream ended before its terminal event", control);
  } catch (error) {
    if (!begun && !control.signal.aborted) throw error;
    thrown = error;
    answer.stop(wordsOf(error), control);
  } finally {
    control.close();
    control.abort();
  }
  yield answer
    .drain()
    .map((each) => refine(withFailureCode(each, thrown)))
    .values();
}

/** The source's items. Throws the signal's reason as soon as it aborts, even if the source ignores the signal. */
async function* eachUntilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await untilAborted(iterator.next(), signal);
      if (step === ABORTED) throw signal.reason;
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    // Not awaited, because a source that hangs would hang here too.
    void iterator.return?.();
  }
}

class ConnectorAnswer {
  readonly #builder: AnswerBuilder;
  readonly #origin: Origin;
  #open: { type: "text" | "thinking" | "toolCall"; index: number } | undefined;

  constructor(api: string, origin: Origin) {
    this.#builder = new AnswerBuilder(answerHeader(origin, api));
    this.#origin = origin;
  }

  get ended(): boolean {
    return this.#builder.ended;
  }

  drain(): LiveAssistantMessageEvent[] {
    return this.#builder.drain();
  }

  stop(message: string, { isAbortedByCaller: isHungUp }: CallControl): void {
    this.#builder.fail(message, isHungUp ? "aborted" : "error");
  }

  push(event: ConnectorEvent): void {
    switch (event.type) {
      case "start":
        return;
      case "text_start":
      case "thinking_start":
        this.#begin(event.type === "text_start" ? "text" : "thinking");
        return;
      case "text_delta":
        this.#builder.delta(this.#current("text"), event.delta);
        return;
      case "thinking_delta":
        this.#builder.delta(this.#current("thinking"), event.delta);
        return;
      case "text_end":
      case "thinking_end":
        this.#close();
        return;
      case "toolcall_start":
        this.#close();
        this.#openCall(event.id ?? "", event.name ?? "");
        return;
      case "toolcall_delta":
        if (this.#open?.type === "toolCall") this.#builder.delta(this.#open.index, event.delta);
        return;
      case "toolcall_end":
        if (event.toolCall === undefined) this.#close();
        else this.#finishCall(event.toolCall);
        return;
      case "done":
        this.#done(event);
        return;
      case "error":
        this.#builder.fail(event.error instanceof Error ? event.error.message : String(event.error));
    }
  }

  #begin(type: "text" | "thinking"): number {
    this.#close();
    const index = this.#builder.open(type === "text" ? { type, text: "" } : { type, thinking: "" });
    this.#open = { type, index };
    return index;
  }

  #current(type: "text" | "thinking"): number {
    return this.#open?.type === type ? this.#open.index : this.#begin(type);
  }

  #openCall(id: string, name: string): void {
    const index = this.#builder.open({ type: "toolCall", id, name, arguments: {} });
    this.#open = { type: "toolCall", index };
  }

  #finishCall({
    id,
    name,
    arguments: given,
  }: {
    id: string;
    name: string;
    arguments: Record<string, unknown>;
  }): void {
    if (this.#open?.type !== "toolCall") this.#openCall(id, name);
    const open = this.#open;
    if (open === undefined) return;
    const block = this.#builder.message.content[open.index];
    if (block?.type === "toolCall") Object.assign(block, { id, name });
    this.#builder.close(open.index, JSON.stringify(given));
    this.#open = undefined;
  }

  #close(): void {
    if (this.#open !== undefined) this.#builder.close(this.#open.index);
    this.#open = undefined;
  }

  #done({ stopReason, reason, usage }: Extract<ConnectorEvent, { type: "done" }>): void {
    this.#close();
    const { message } = this.#builder;
    if (usage !== undefined) message.usage = this.#origin.price({ ...emptyUsage(), ...usage });
    const why = stopReason ?? reason ?? "stop";
    if (why === "error" || why === "aborted") this.#builder.fail(`the connector stopped: ${why}`, why);
    else this.#builder.done(why);
  }
}
