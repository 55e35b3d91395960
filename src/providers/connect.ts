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
import { OneByOne } from "./one-by-one.js";
import { type Prepared, prepareContext, prepareRequest } from "./prepare.js";
import { redactError, redactEvent, rememberSecrets, secretsIn } from "./redact.js";
import { world as realWorld, type World } from "./world.js";

export interface ConnectOptions {
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
  /** Called with each request body; the returned body is sent. */
  onRequest?: (body: JsonObject) => JsonObject;
  /** Clock, randomness and environment, for tests. */
  world?: Partial<World>;
}

export interface StreamOptions extends CallOptions {
  signal?: AbortSignal;
  /** Called before the first event with the parts of the conversation that the request does not contain. */
  onLosses?: (losses: readonly Loss[]) => void;
}

export interface ForwardOptions {
  /** The client's headers. Those that are part of the request are forwarded; credentials never are. */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  signal?: AbortSignal;
  /** Parses only the first piece of content: the payloads are complete, the events and their message are not. */
  skim?: boolean;
}

/** A connected model. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  readonly card: ModelCard;
  /** The provider's API; undefined for a connector, which receives our own model. */
  readonly api: ApiName | undefined;
  stream(context: ContextInput, options?: StreamOptions): AsyncGenerator<LiveAssistantMessageEvent>;
  /**
   * Sends a request that is already written in the provider's API, unchanged except for the model's name and streaming.
   * Returns the provider's payloads together with the same answer as events. Throws for a connector, which has no such API.
   */
  forward(body: JsonObject, options?: ForwardOptions): AsyncGenerator<ForwardedBatch>;
  /** The complete answer. A failure after the answer has started is in the message (`stopReason`), not thrown. */
  complete(context: ContextInput, options?: StreamOptions): Promise<AssistantMessage>;
  /** The request that `stream` would send, with its losses. Sends nothing. */
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
  restore(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
}

const IDLE_MS = 120_000;
const RETRIES = 2;
const LONGEST_WAIT_MS = 60_000;
/** The longest answers of current models take about 50 MB, at a few characters of text per event. */
const ANSWER_BYTES = 256 * 2 ** 20;

/**
 * Connects to a model by `provider/model`. Loads no provider code and sends nothing before the first call.
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
  return new ConnectedModel(provider, id, options);
}

class ConnectedModel implements Model {
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
    const { signal, onLosses, ...call } = options;
    const connector = findConnector(this.provider);
    if (connector !== undefined) {
      const { stream } = await connector();
      const { context: shown, losses } = await prepareContext(context);
      onLosses?.(losses);
      const open = (line: AbortSignal) => stream(this, shown, { ...call, signal: line });
      yield* connectorEvents(
        { api: this.provider, origin: this.#origin(), idleMs: this.#idleMs(), signal, open },
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
      { api, endpoint, access, body: request, headers: {}, signal, restore: (event) => names.restore(event) },
      eventBatches,
    );
  }

  async *forward(
    body: JsonObject,
    { headers = {}, signal, skim = false }: ForwardOptions = {},
  ): AsyncGenerator<ForwardedBatch> {
    if (findConnector(this.provider) !== undefined) {
      throw new DragomanError("model/invalid", `${this.provider}/${this.id} is not behind a provider's API`, {
        hint: "use stream",
      });
    }
    const endpoint = this.#endpoint();
    const access = await this.#open(endpoint);
    const api = await this.#api(endpoint);
    const request = api.forwardable(body, this.id, endpoint.flags ?? {});
    yield* this.#exchange(
      {
        api,
        endpoint,
        access,
        body: request,
        headers: forwardedHeaders(api.address, headers, this.#options.headers),
        signal,
        restore: (event) => event,
      },
      forwardedBatches(api, skim),
    );
  }

  async *#exchange<B, T>(sending: Sending, batches: BatchReader<B, T>): AsyncGenerator<B> {
    const { api, endpoint, access, body, headers: own, signal, restore } = sending;
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
      origin: this.#origin(),
      policy: { maxRetries: this.#options.maxRetries ?? RETRIES, maxWaitMs: LONGEST_WAIT_MS },
      idleMs: this.#idleMs(),
      maxBytes: this.#options.maxAnswerBytes ?? ANSWER_BYTES,
      ...(signal === undefined ? {} : { signal }),
      refine: (event) => redactEvent(this.#checkWindow(restore(event)), secrets),
    };
    try {
      yield* drive(exchange, this.#world, batches);
    } catch (error) {
      throw redactError(error, secrets);
    }
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

  #origin(): Origin {
    return {
      provider: this.provider,
      model: this.id,
      timestamp: this.#world.now(),
      price: (tokens) => priceWith(this.card, tokens),
      priceKnown: this.card.prices !== undefined,
    };
  }
}
