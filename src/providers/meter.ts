import { emptyUsage, isPriceUnknown, type Tokens } from "../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Usage } from "../core/types.js";
import type { ModelCard } from "./catalogue.js";

/** What one call used, as far as the provider reported it. */
export interface CallUsage {
  usage: Usage;
  /** How many of the output tokens were reasoning, if the provider counts them. */
  reasoning: number;
  /** Whether the whole cost is known. */
  isPriced: boolean;
}

/** A model, as far as a meter needs to know it. */
export interface MeteredModel {
  readonly provider: string;
  readonly id: string;
  readonly card: ModelCard;
}

/**
 * Ends the metering of a call. The usage is undefined if the provider did not begin to answer. The promise, if there is one,
 * is fulfilled when the usage is recorded, and is never rejected.
 */
export type EndCall = (used: CallUsage | undefined) => Promise<void> | undefined;

/** Admits calls to models and counts what they use. */
export interface Meter {
  /** Called before a request is sent; rejects to refuse the call. The returned function is called once, when it is over. */
  begin(model: MeteredModel): Promise<EndCall>;
}

/** Makes a call that has no events, such as one for embeddings, and counts what its result reports. */
export async function meterUsage<T extends { usage?: Usage }>(
  meter: Meter | undefined,
  model: MeteredModel,
  call: () => Promise<T>,
): Promise<T> {
  const end = await meter?.begin(model);
  let used: CallUsage | undefined;
  try {
    const result = await call();
    const { usage = emptyUsage() } = result;
    const isPriced = result.usage !== undefined && model.card.prices !== undefined;
    used = { usage, reasoning: 0, isPriced };
    return result;
  } finally {
    await end?.(used);
  }
}

/**
 * The usage of one call, read from its events.
 *
 * @example
 * const call = await MeteredCall.begin(meter, model);
 * try {
 *   for await (const event of events) yield call.observe(event);
 * } finally {
 *   await call.end();
 * }
 */
export class MeteredCall {
  readonly #end: EndCall | undefined;
  /** The live message: its usage changes until the answer has ended. */
  #message: AssistantMessage | undefined;
  #reasoning = 0;
  #hasTerminalEvent = false;
  #ended = false;
  #recording: Promise<void> | undefined;

  private constructor(end: EndCall | undefined) {
    this.#end = end;
  }

  static async begin(meter: Meter | undefined, model: MeteredModel): Promise<MeteredCall> {
    return new MeteredCall(await meter?.begin(model));
  }

  /** Keeps the counts of a report that have no place in the message's usage. */
  noteTokens({ reasoning = 0 }: Tokens): void {
    this.#reasoning = reasoning;
  }

  /** Returns the event. The terminal event ends the metering: its usage is being recorded before a client has the answer. */
  observe(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent {
    if (event.type === "start") this.#message = event.partial;
    else if (event.type === "done" || event.type === "error") {
      this.#message = event.type === "done" ? event.message : event.error;
      this.#hasTerminalEvent = true;
      void this.end();
    }
    return event;
  }

  /** Fulfilled when the usage is recorded. The output of an answer that was left early is not fully known. */
  async end(): Promise<void> {
    if (this.#ended) return this.#recording;
    this.#ended = true;
    const message = this.#message;
    const reasoning = this.#reasoning;
    if (message === undefined) this.#recording = this.#end?.(undefined);
    else {
      const isPriced = this.#hasTerminalEvent && !isPriceUnknown(message);
      this.#recording = this.#end?.({ usage: message.usage, reasoning, isPriced });
    }
    return this.#recording;
  }
}
