import type { CallOptions } from "../core/api/provider.js";
import type { JsonObject } from "../core/json/value.js";
import { requestTokens } from "../core/shown/tokens.js";
import { collect } from "../core/stream/events.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Loss } from "../core/types.js";
import type { ApiName } from "../dialects/registry.js";
import { acceptContext, type ContextInput } from "./accept.js";
import { askInTurn, type Candidate, type Fallback, type SharedRequest } from "./ask-in-turn.js";
import type { ModelCard } from "./catalogue.js";
import type { ClientRequest, Embeddings, EmbedOptions, ForwardedEmbedding } from "./embed.js";
import type { ForwardedBatch } from "./forward.js";
import type { ForwardOptions, Model, Preview, StreamOptions } from "./model.js";

/** An ordered list of models as one. It has the name and the API of the first. */
export class FallbackModel implements Model {
  readonly provider: string;
  readonly id: string;
  readonly api: ApiName | undefined;
  readonly card: ModelCard;
  readonly candidates: readonly Candidate[];
  readonly #first: Model;
  readonly #onFallback: (fallback: Fallback) => void;

  constructor(first: Model, others: readonly Candidate[], onFallback: (fallback: Fallback) => void) {
    this.provider = first.provider;
    this.id = first.id;
    this.api = first.api;
    this.candidates = [{ model: first }, ...others].flatMap(withOwnCandidates);
    this.card = cardOfAll(first.card, this.candidates);
    this.#first = first;
    this.#onFallback = onFallback;
  }

  /** Sends a request to the models in turn, and yields the answer of one of them. */
  answer<T>(request: SharedRequest<T>): AsyncGenerator<T> {
    return askInTurn(this.candidates, request, this.#onFallback);
  }

  stream(context: ContextInput, options: StreamOptions = {}): AsyncGenerator<LiveAssistantMessageEvent> {
    let losses: readonly Loss[] | undefined;
    const onLosses = (found: readonly Loss[]) => {
      losses = found;
    };
    return this.answer({
      ask: (model) => model.stream(context, { ...options, onLosses }),
      eventsOf: (event) => [event],
      tokens: async () => requestTokens(await acceptContext(context)),
      onDeliver: () => {
        if (losses !== undefined) options.onLosses?.(losses);
      },
      signal: options.signal,
    });
  }

  /** Asks only the models whose providers have the API of the first one. */
  forward(body: JsonObject, options: ForwardOptions = {}): AsyncGenerator<ForwardedBatch> {
    const alike = this.candidates.filter(({ model }) => model.api === this.api);
    const request: SharedRequest<ForwardedBatch> = {
      ask: (model) => model.forward(body, options),
      eventsOf: ({ events }) => events,
      signal: options.signal,
    };
    return askInTurn(alike, request, this.#onFallback);
  }

  complete(context: ContextInput, options: StreamOptions = {}): Promise<AssistantMessage> {
    return collect(this.stream(context, options));
  }

  /** Asks only the first model: vectors of different models cannot be compared. */
  embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Embeddings> {
    return this.#first.embed(texts, options);
  }

  /** Asks only the first model, like `embed`. */
  forwardEmbedding(
    endpoint: string,
    body: JsonObject,
    options: ClientRequest = {},
  ): Promise<ForwardedEmbedding> {
    return this.#first.forwardEmbedding(endpoint, body, options);
  }

  /** The request to the first model. */
  preview(context: ContextInput, options: CallOptions = {}): Promise<Preview> {
    return this.#first.preview(context, options);
  }
}

/** A list within a list is a part of it. */
function withOwnCandidates(candidate: Candidate): readonly Candidate[] {
  const { model } = candidate;
  if (!(model instanceof FallbackModel)) return [candidate];
  const [first, ...rest] = model.candidates;
  return first === undefined ? [] : [{ ...candidate, model: first.model }, ...rest];
}

/** What is known of the list: a conversation fits if it fits the largest window of the models for long conversations. */
function cardOfAll({ contextWindow: _, ...card }: ModelCard, candidates: readonly Candidate[]): ModelCard {
  const windows = candidates
    .filter(({ on }, index) => index === 0 || on === undefined || on.includes("context"))
    .map(({ model }) => model.card.contextWindow ?? Number.POSITIVE_INFINITY);
  const contextWindow = Math.max(...windows);
  return contextWindow === Number.POSITIVE_INFINITY ? card : { ...card, contextWindow };
}
