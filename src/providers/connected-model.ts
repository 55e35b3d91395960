import type { Api, CallOptions, Flags, Origin } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import type { JsonObject } from "../core/json/value.js";
import { collect } from "../core/stream/events.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Usage } from "../core/types.js";
import { type ApiName, loadEndpoint } from "../dialects/registry.js";
import { acceptContext, type ContextInput } from "./accept.js";
import { type CallObserver, type ObservedCall, observeResult } from "./call-observer.js";
import { cardOf, type ModelCard, priceWith } from "./catalogue.js";
import { connectorEvents, findConnector } from "./connectors.js";
import { type BatchReader, drive, type EventBatch, type Exchange, eventBatches } from "./driver.js";
import {
  type ClientRequest,
  type Embedder,
  type Embeddings,
  type EmbedOptions,
  embed,
  type ForwardedEmbedding,
  forwardEmbedding,
} from "./embed.js";
import { address, apiOf, type Endpoint, keyFor, resolveEndpoint } from "./endpoints.js";
import { type ForwardedBatch, forwardedBatches, forwardedHeaders } from "./forward.js";
import type { HostAccess } from "./hosts/host.js";
import { exchangeJson } from "./json-exchange.js";
import { type Meter, MeteredCall, meterUsage } from "./meter.js";
import type { ForwardOptions, Model, Preview, StreamOptions } from "./model.js";
import { OneByOne } from "./one-by-one.js";
import { type Prepared, prepareContext, prepareRequest } from "./prepare.js";
import { redactError, redactEvent, rememberSecrets, secretsIn } from "./redact.js";
import type { Request } from "./send.js";
import { world as realWorld, type World } from "./world.js";

/** How to reach one model. */
export interface ConnectionOptions {
  apiKey?: string;
  /** May contain `{model}`, for servers with an address for each model, and a query, which every request keeps. */
  baseUrl?: string;
  /** The API of your own endpoint (default: `openai-chat`). */
  api?: ApiName;
  flags?: Flags;
  /** Added to every request; null removes a header. */
  headers?: Record<string, string | null>;
  fetch?: World["fetch"];
  /** Properties of the model; they replace those in the catalogue. */
  card?: Partial<ModelCard>;
  /** Aborts a stream when no content arrives for this long (default: 120 s). */
  idleMs?: number;
  /** How often a request is retried before the answer starts (default: 2). */
  maxRetries?: number;
  /** The maximum size of an answer, uncompressed (default: 256 MiB). Reading stops there with an error. */
  maxAnswerBytes?: number;
  /** Admits each call and counts what it uses. */
  meter?: Meter;
  /** Follows each call, for traces. */
  observer?: CallObserver;
  /** Called with each request body; the returned body is sent. */
  onRequest?: (body: JsonObject) => JsonObject;
  /** Clock, randomness and environment, for tests. */
  world?: Partial<World>;
}

/** A request that is ready to be sent. */
interface Outgoing {
  api: Pick<Api, "address">;
  endpoint: Endpoint;
  access: HostAccess;
  body: JsonObject;
  /** Added to the configured ones. */
  headers: Readonly<Record<string, string>>;
  observed: ObservedCall | undefined;
}

/** One whose answer is a stream. */
interface Sending extends Outgoing {
  api: Api;
  signal: AbortSignal | undefined;
  metered: MeteredCall;
  restore(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
}

const IDLE_MS = 120_000;
const RETRIES = 2;
const LONGEST_WAIT_MS = 60_000;
/** The longest answers of current models take about 50 MB, at a few characters of text per event. */
const ANSWER_BYTES = 256 * 2 ** 20;

/** A model behind a provider's API, or a connector. */
export class ConnectedModel implements Model {
  readonly provider: string;
  readonly id: string;
  readonly card: ModelCard;
  readonly #options: ConnectionOptions;
  readonly #world: World;

  constructor(provider: string, id: string, options: ConnectionOptions) {
    this.provider = provider;
    this.id = id;
    this.card = { ...cardOf(provider, id), ...options.card };
    this.#options = options;
    const { fetch } = options;
    this.#world = { ...realWorld, ...(fetch === undefined ? {} : { fetch }), ...options.world };
  }

  get api(): ApiName | undefined {
    if (findConnector(this.provider) !== undefined) return undefined;
    return apiOf(this.provider, this.#options.api);
  }

  stream(context: ContextInput, options: StreamOptions = {}): AsyncGenerator<LiveAssistantMessageEvent> {
    return new OneByOne(this.#batches(context, options));
  }

  async *#batches(context: ContextInput, options: StreamOptions): AsyncGenerator<EventBatch> {
    const metered = await MeteredCall.begin(this.#options.meter, this);
    const observed = this.#options.observer?.begin("chat", this);
    try {
      yield* this.#meteredBatches(context, options, metered, observed);
    } catch (error) {
      observed?.end({ error });
      throw error;
    } finally {
      observed?.end();
      await metered.end();
    }
  }

  async *#meteredBatches(
    context: ContextInput,
    options: StreamOptions,
    metered: MeteredCall,
    observed: ObservedCall | undefined,
  ): AsyncGenerator<EventBatch> {
    const { signal, onLosses, ...call } = options;
    observed?.describe(await acceptContext(context), call);
    const connector = findConnector(this.provider);
    if (connector !== undefined) {
      const { stream } = await connector();
      const { context: shown, losses } = await prepareContext(context, this.card);
      onLosses?.(losses);
      const open = (line: AbortSignal) => stream(this, shown, { ...call, signal: line });
      yield* connectorEvents(
        {
          api: this.provider,
          origin: this.#origin(metered, observed),
          idleMs: this.#idleMs(),
          signal,
          open,
          refine: (event) => observe(metered.observe(event), observed),
        },
        this.#world,
      );
      return;
    }
    const endpoint = this.#endpoint();
    // Before the request is prepared, because it fails without credentials.
    const access = await this.#open(endpoint);
    const { request, names, losses } = await this.#prepare(context, call);
    onLosses?.(losses);
    const api = await this.#api(endpoint);
    yield* this.#exchange(
      {
        api,
        endpoint,
        access,
        body: request,
        headers: {},
        signal,
        metered,
        observed,
        restore: (event) => names.restore(event),
      },
      eventBatches,
    );
  }

  async *forward(
    body: JsonObject,
    { headers = {}, signal, skim = false, endpoint: called }: ForwardOptions = {},
  ): AsyncGenerator<ForwardedBatch> {
    if (findConnector(this.provider) !== undefined) {
      throw new DragomanError("model/invalid", `${this.provider}/${this.id} is not behind a provider's API`, {
        hint: "use stream",
      });
    }
    const endpoint = this.#endpoint();
    const access = await this.#open(endpoint);
    const api = await this.#api(endpoint, called);
    const request = api.forwardable(body, this.id, endpoint.flags ?? {});
    const metered = await MeteredCall.begin(this.#options.meter, this);
    const observed = this.#options.observer?.begin("chat", this);
    if (observed !== undefined) describeForwarded(observed, api, request);
    try {
      yield* this.#exchange(
        {
          api,
          endpoint,
          access,
          body: request,
          headers: forwardedHeaders(api.address, headers, this.#options.headers),
          signal,
          metered,
          observed,
          restore: (event) => event,
        },
        forwardedBatches(api, skim && observed?.wantsContent !== true),
      );
    } catch (error) {
      observed?.end({ error });
      throw error;
    } finally {
      observed?.end();
      await metered.end();
    }
  }

  #exchange<B, T>(sending: Sending, batches: BatchReader<B, T>): AsyncGenerator<B> {
    const { api, endpoint, signal, metered, observed, restore } = sending;
    const { request, secrets } = this.#request(sending);
    const exchange: Exchange = {
      api,
      flags: endpoint.flags ?? {},
      request,
      origin: this.#origin(metered, observed),
      ...this.#limits(),
      ...(signal === undefined ? {} : { signal }),
      refine: (event) =>
        observe(redactEvent(this.#checkWindow(restore(metered.observe(event))), secrets), observed),
      redact: (error) => redactError(error, secrets),
    };
    return drive(exchange, this.#world, batches);
  }

  /** The HTTP request, and what is secret in it. */
  #request(outgoing: Outgoing): { request: Request; secrets: string[] } {
    const { api, endpoint, access, body, headers: own, observed } = outgoing;
    const { baseUrl, key, sign } = access;
    const sent = this.#options.onRequest?.(body) ?? body;
    const { url, headers: written } = address(api, { ...endpoint, baseUrl }, this.id, key, {
      ...this.#options.headers,
      ...own,
    });
    const headers = { ...written, ...observed?.headersFor(url) };
    const secrets = secretsIn(headers);
    const signed = sign === undefined ? {} : { sign: rememberSecrets(sign, secrets) };
    return { request: { url, headers, body: JSON.stringify(sent), ...signed }, secrets };
  }

  #limits() {
    const { maxRetries = RETRIES, maxAnswerBytes = ANSWER_BYTES } = this.#options;
    return {
      policy: { maxRetries, maxWaitMs: LONGEST_WAIT_MS },
      idleMs: this.#idleMs(),
      maxBytes: maxAnswerBytes,
    };
  }

  /** Some servers truncate an input that does not fit, without an error. */
  #checkWindow(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent {
    const { contextWindow } = this.card;
    if (event.type !== "done" || contextWindow === undefined) return event;
    const { usage } = event.message;
    if (usage.input + usage.cacheRead > contextWindow) {
      event.message.ext = { ...event.message.ext, failure: { code: "provider/context-overflow" } };
    }
    return event;
  }

  complete(context: ContextInput, options: StreamOptions = {}): Promise<AssistantMessage> {
    return collect(this.stream(context, options));
  }

  async preview(context: ContextInput, options: CallOptions = {}): Promise<Preview> {
    if (findConnector(this.provider) !== undefined) {
      const { context: shown, losses } = await prepareContext(context, this.card);
      return { request: { ...shown, ...options }, losses: [...losses] };
    }
    const { request, losses } = await this.#prepare(context, options);
    return { request, losses };
  }

  embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Embeddings> {
    return this.#countEmbedding((embedder) => embed(embedder, texts, options));
  }

  forwardEmbedding(
    endpoint: string,
    body: JsonObject,
    options: ClientRequest = {},
  ): Promise<ForwardedEmbedding> {
    return this.#countEmbedding((embedder) => forwardEmbedding(embedder, endpoint, body, options));
  }

  #countEmbedding<T extends { usage?: Usage }>(send: (embedder: Embedder) => Promise<T>): Promise<T> {
    const { meter, observer } = this.#options;
    return meterUsage(meter, this, () => {
      const observed = observer?.begin("embeddings", this);
      return observeResult(observed, () => send(this.#embedder(observed)));
    });
  }

  #embedder(observed: ObservedCall | undefined): Embedder {
    const { provider, id, card } = this;
    return {
      provider,
      id,
      card,
      endpoint: () => this.#endpoint(),
      post: (path, body, { headers = {}, signal }) => this.#post(path, body, headers, signal, observed),
    };
  }

  /** Posts a request whose answer is one JSON document. */
  async #post(
    path: (model: string) => string,
    body: JsonObject,
    clientHeaders: NonNullable<ClientRequest["headers"]>,
    signal: AbortSignal | undefined,
    observed: ObservedCall | undefined,
  ): Promise<JsonObject> {
    const endpoint = this.#endpoint();
    const access = await this.#open(endpoint);
    const { address } = await this.#api(endpoint);
    const headers = forwardedHeaders(address, clientHeaders, this.#options.headers);
    const api = { address: { ...address, path } };
    const { request, secrets } = this.#request({ api, endpoint, access, body, headers, observed });
    try {
      return await exchangeJson({ request, ...this.#limits(), signal }, this.#world);
    } catch (error) {
      throw redactError(error, secrets);
    }
  }

  async #prepare(context: ContextInput, options: CallOptions): Promise<Prepared> {
    const endpoint = this.#endpoint();
    const api = await this.#api(endpoint);
    const { provider, id, card } = this;
    return prepareRequest({ provider, id, card, api, flags: endpoint.flags ?? {} }, context, options);
  }

  #idleMs(): number {
    return this.#options.idleMs ?? IDLE_MS;
  }

  #endpoint(): Endpoint {
    return resolveEndpoint(this.provider, this.#options, this.#world.env);
  }

  /** The API as the endpoint serves it. */
  async #api({ api, host }: Endpoint, endpoint?: string): Promise<Api> {
    const plain = await loadEndpoint(api, endpoint);
    const { adapt } = (await host?.()) ?? {};
    return adapt?.(plain) ?? plain;
  }

  /** The address and the credentials of a call. */
  async #open(endpoint: Endpoint): Promise<HostAccess> {
    const { baseUrl } = endpoint;
    const host = await endpoint.host?.();
    const key = keyFor(this.provider, endpoint, this.#options.apiKey, this.#world.env);
    const given = { baseUrl, ...(key === undefined ? {} : { key }) };
    return host === undefined ? given : host.open({ ...given, model: this.id }, this.#world);
  }

  #origin(metered: MeteredCall, observed: ObservedCall | undefined): Origin {
    return {
      provider: this.provider,
      model: this.id,
      timestamp: this.#world.now(),
      price: (tokens) => {
        metered.noteTokens(tokens);
        observed?.noteTokens(tokens);
        return priceWith(this.card, tokens);
      },
      priceKnown: this.card.prices !== undefined,
    };
  }
}

/** The event as its reader gets it. */
function observe(
  event: LiveAssistantMessageEvent,
  observed: ObservedCall | undefined,
): LiveAssistantMessageEvent {
  observed?.observe(event);
  return event;
}

/** A request that we cannot read is forwarded, but not described. */
function describeForwarded(observed: ObservedCall, api: Api, request: JsonObject): void {
  try {
    const { context, options } = api.readRequest(request);
    observed.describe(context, options);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
  }
}
