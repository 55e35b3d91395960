import type { Api, CallOptions, Flags, Origin } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import type { JsonObject } from "../core/json/value.js";
import { collect } from "../core/stream/events.js";
import type { AssistantMessage, LiveAssistantMessageEvent, Loss } from "../core/types.js";
import { type ApiName, loadApi } from "../dialects/registry.js";
import type { ContextInput } from "./accept.js";
import { cardOf, type ModelCard, priceWith } from "./catalogue.js";
import { connectorEvents, findConnector } from "./connectors.js";
import { type BatchReader, drive, type EventBatch, type Exchange, eventBatches } from "./driver.js";
import { address, apiOf, type Endpoint, keyFor, resolveEndpoint } from "./endpoints.js";
import { type ForwardedBatch, forwardedBatches, forwardedHeaders } from "./forward.js";
import type { HostAccess } from "./hosts/host.js";
import { type Meter, MeteredCall } from "./meter.js";
import { OneByOne } from "./one-by-one.js";
import { type Prepared, prepareContext, prepareRequest } from "./prepare.js";
import { redactError, redactEvent, rememberSecrets, secretsIn } from "./redact.js";
import { world as realWorld, type World } from "./world.js";

export interface ConnectOptions {
  apiKey?: string;
  /** May contain `{model}`, for servers with an address for each model, and a query, which every request keeps. */
  baseUrl?: string;
  /** What an endpoint of your own speaks (default: `openai-chat`). */
  api?: ApiName;
  flags?: Flags;
  /** Added to every request; null removes one of ours. */
  headers?: Record<string, string | null>;
  fetch?: World["fetch"];
  /** What is known of the model, beside what the catalogue knows. */
  card?: Partial<ModelCard>;
  /** Without content for this long a stream is given up. Default 120 s. */
  idleMs?: number;
  /** How often a request is tried again before the answer begins. Default 2. */
  maxRetries?: number;
  /** The size from which on an answer is not read any further, uncompressed. Default 256 MiB. */
  maxAnswerBytes?: number;
  /** Admits each call and counts what it uses. */
  meter?: Meter;
  /** Sees each request body before it is sent, and returns what is sent. */
  onRequest?: (body: JsonObject) => JsonObject;
  /** Clock, chance and environment, for tests. */
  world?: Partial<World>;
}

export interface StreamOptions extends CallOptions {
  signal?: AbortSignal;
  /** Told, before the first event, what the request does not say of the conversation. */
  onLosses?: (losses: readonly Loss[]) => void;
}

export interface ForwardOptions {
  /** Headers of the client's request. Those that belong to the request go along; credentials never do. */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  signal?: AbortSignal;
  /** Only the first piece of content is read: the payloads are complete, the events and their message are not. */
  skim?: boolean;
}

/** A model one can talk to. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  readonly card: ModelCard;
  /** What its provider is spoken to in; undefined for a connector, which is given our own names. */
  readonly api: ApiName | undefined;
  stream(context: ContextInput, options?: StreamOptions): AsyncGenerator<LiveAssistantMessageEvent>;
  /**
   * Sends a request that is written in the API of the model's provider, unchanged but for the model's name and with a
   * streamed answer. The answer is the provider's payloads, and the same as events. A connector has no such API: it throws.
   */
  forward(body: JsonObject, options?: ForwardOptions): AsyncGenerator<ForwardedBatch>;
  /** The whole answer. What fails after it began is in the message (`stopReason`), not thrown. */
  complete(context: ContextInput, options?: StreamOptions): Promise<AssistantMessage>;
  /** The request that `stream` would send and what it changes in the conversation; nothing is sent. */
  preview(context: ContextInput, options?: CallOptions): Promise<Preview>;
}

export interface Preview {
  request: JsonObject;
  losses: Loss[];
}

/** A request that is ready to be sent. */
interface Sending {
  api: Api;
  endpoint: Endpoint;
  access: HostAccess;
  body: JsonObject;
  /** Added to the configured ones. */
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
  metered: MeteredCall;
  restore(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
}

const IDLE_MS = 120_000;
const RETRIES = 2;
const LONGEST_WAIT_MS = 60_000;
/** The longest answers of today's models are about 50 MB as events, each with a few characters of text. */
const ANSWER_BYTES = 256 * 2 ** 20;

/**
 * Connects to a model by `provider/model`. No provider's code is loaded, and nothing is sent, before it is asked.
 *
 * @example
 * const model = connect("anthropic/claude-opus-4-6");
 * for await (const event of model.stream({ messages })) render(event);
 */
export function connect(name: string, options: ConnectOptions = {}): Model {
  const slash = name.indexOf("/");
  const provider = name.slice(0, slash);
  const id = name.slice(slash + 1);
  if (slash < 1 || id === "") {
    throw new DragomanError("provider/unknown", `"${name}" is not a model`, {
      hint: "write provider/model, such as anthropic/claude-opus-4-6",
    });
  }
  return new Connection(provider, id, options);
}

class Connection implements Model {
  readonly provider: string;
  readonly id: string;
  readonly card: ModelCard;
  readonly #options: ConnectOptions;
  readonly #world: World;

  constructor(provider: string, id: string, options: ConnectOptions) {
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
    try {
      yield* this.#meteredBatches(context, options, metered);
    } finally {
      metered.end();
    }
  }

  async *#meteredBatches(
    context: ContextInput,
    options: StreamOptions,
    metered: MeteredCall,
  ): AsyncGenerator<EventBatch> {
    const { signal, onLosses, ...call } = options;
    const connector = findConnector(this.provider);
    if (connector !== undefined) {
      const { stream } = await connector();
      const { context: shown, losses } = await prepareContext(context);
      onLosses?.(losses);
      const open = (line: AbortSignal) => stream(this, shown, { ...call, signal: line });
      yield* connectorEvents(
        {
          api: this.provider,
          origin: this.#origin(metered),
          idleMs: this.#idleMs(),
          signal,
          open,
          refine: (event) => metered.observe(event),
        },
        this.#world,
      );
      return;
    }
    const endpoint = this.#endpoint();
    // Before the request is prepared: without credentials it is of no use.
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
        restore: (event) => names.restore(event),
      },
      eventBatches,
    );
  }

  async *forward(
    body: JsonObject,
    { headers = {}, signal, skim = false }: ForwardOptions = {},
  ): AsyncGenerator<ForwardedBatch> {
    if (findConnector(this.provider) !== undefined) {
      throw new DragomanError("model/invalid", `${this.provider}/${this.id} is not behind a provider's API`, {
        hint: "ask it with stream",
      });
    }
    const endpoint = this.#endpoint();
    const access = await this.#open(endpoint);
    const api = await this.#api(endpoint);
    const request = api.forwardable(body, this.id, endpoint.flags ?? {});
    const metered = await MeteredCall.begin(this.#options.meter, this);
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
          restore: (event) => event,
        },
        forwardedBatches(api, skim),
      );
    } finally {
      metered.end();
    }
  }

  async *#exchange<B>(sending: Sending, batches: BatchReader<B>): AsyncGenerator<B> {
    const { api, endpoint, access, body, headers: own, signal, metered, restore } = sending;
    const { baseUrl, key, sign } = access;
    const sent = this.#options.onRequest?.(body) ?? body;
    const { url, headers } = address(api, { ...endpoint, baseUrl }, this.id, key, {
      ...this.#options.headers,
      ...own,
    });
    const secrets = secretsIn(headers);
    const signed = sign === undefined ? {} : { sign: rememberSecrets(sign, secrets) };
    const exchange: Exchange = {
      api,
      flags: endpoint.flags ?? {},
      request: { url, headers, body: JSON.stringify(sent), ...signed },
      origin: this.#origin(metered),
      policy: { maxRetries: this.#options.maxRetries ?? RETRIES, maxWaitMs: LONGEST_WAIT_MS },
      idleMs: this.#idleMs(),
      maxBytes: this.#options.maxAnswerBytes ?? ANSWER_BYTES,
      ...(signal === undefined ? {} : { signal }),
      refine: (event) => redactEvent(this.#checkWindow(restore(metered.observe(event))), secrets),
    };
    try {
      yield* drive(exchange, this.#world, batches);
    } catch (error) {
      throw redactError(error, secrets);
    }
  }

  /** Some servers cut off what does not fit, and answer as if nothing had happened. */
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
      const { context: shown, losses } = await prepareContext(context);
      return { request: { ...shown, ...options }, losses: [...losses] };
    }
    const { request, losses } = await this.#prepare(context, options);
    return { request, losses };
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
  async #api({ api, host }: Endpoint): Promise<Api> {
    const plain = await loadApi(api);
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

  #origin(metered: MeteredCall): Origin {
    return {
      provider: this.provider,
      model: this.id,
      timestamp: this.#world.now(),
      price: (tokens) => {
        metered.noteTokens(tokens);
        return priceWith(this.card, tokens);
      },
      priceKnown: this.card.prices !== undefined,
    };
  }
}
