import { DragomanError, wordsOf } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import type { FailedModel } from "../../core/message/fallbacks.js";
import { requestTokens } from "../../core/shown/tokens.js";
import type { Loss } from "../../core/types.js";
import type { ApiName } from "../../dialects/registry.js";
import { nameOf } from "../../providers/connectors.js";
import { FallbackModel } from "../../providers/fallback-model.js";
import type { ForwardedBatch } from "../../providers/forward.js";
import type { Model } from "../../providers/model.js";
import { requireOffered } from "../offered-models.js";
import type { Gateway, HttpRequest } from "../types.js";
import { observerFor } from "./call-trace.js";
import { callerSignal } from "./caller-signal.js";
import { carryThinking, restoreThinking, withoutCarried } from "./carried-thinking.js";
import { unservable } from "./failure.js";
import type { CallState, Family, ModelCall } from "./family.js";
import { placeMessages, requestReader } from "./message-places.js";
import { modelHeaders } from "./model-headers.js";
import { withOwnCalls } from "./own-calls.js";
import { eventsOf, type Piece } from "./piece.js";
import type { PendingAnswer, ReadyAnswer } from "./reply.js";
import { SESSION_HEADER } from "./session.js";
import { placeTools } from "./tool-places.js";
import { carryOver, checkRequest, lossHeader, placeLosses } from "./unsupported-fields.js";

/** Calls a model, or the models of a list. The client runs its tools itself, and only an API with state stores anything. */
export function plainCall(
  gateway: Gateway,
  family: Family,
  request: HttpRequest,
  asked: ModelCall,
  state: CallState | undefined,
): PendingAnswer | ReadyAnswer {
  const { runtime, logger } = gateway;
  if (request.headers[SESSION_HEADER] !== undefined) {
    throw unservable(
      "",
      `${SESSION_HEADER} is only for models named agent/…; calls of ${asked.model} are not stored`,
    );
  }
  const { token, budget = null } = request.caller;
  const model = runtime.connect(asked.model, {
    meter: runtime.usage.meter(() => ({ token, budget })),
    ...observerFor(runtime, request),
  });
  requireOffered(runtime, request.caller, asked.model);
  const ready = model.api === family.api.dialect ? undefined : family.idleReply?.(asked, gateway.now());
  if (ready !== undefined) return { ready };
  const { signal, release } = callerSignal(request, gateway);
  const progress = new CallProgress(logger);
  const ask = (one: Model): AsyncIterable<Piece> =>
    progress.ask(
      one.api === family.api.dialect
        ? forwardCall(one, family, request, asked, state, signal)
        : translateCall(one, family, asked, state, signal),
    );
  try {
    return {
      pieces: withFinish(askFor(model), release),
      headers: () => progress.headers(),
      isStored: false,
      provider: () => progress.api,
    };
  } catch (error) {
    release();
    throw error;
  }

  function askFor(called: Model): AsyncIterable<Piece> {
    if (!(called instanceof FallbackModel)) {
      progress.deliver(called, []);
      return ask(called);
    }
    return called.answer({
      ask,
      eventsOf,
      tokens: async () => tokensOf(family, asked),
      onDeliver: (one, failed) => progress.deliver(one, failed),
      onSkip: (one, error) =>
        logger.warn({ model: nameOf(one), reason: wordsOf(error) }, "a model cannot be sent the request"),
      signal,
    });
  }
}

/** What is known about an answer so far. */
class CallProgress {
  readonly #logger: Gateway["logger"];
  #attempt: Attempt | undefined;
  #modelHeaders: Readonly<Record<string, string>> | undefined;
  #sentEarly = false;

  constructor(logger: Gateway["logger"]) {
    this.#logger = logger;
  }

  /** The API of the model that was asked last. */
  get api(): ApiName | undefined {
    return this.#attempt?.model.api;
  }

  ask(attempt: Attempt): AsyncIterable<Piece> {
    this.#attempt = attempt;
    return attempt.pieces;
  }

  /** Records the model that answers, after those that failed. */
  deliver({ provider, id: model }: Model, failed: readonly FailedModel[]): void {
    this.#modelHeaders = modelHeaders({ provider, model }, failed);
    if (!this.#sentEarly) return;
    this.#logger.warn(
      { missing: this.#currentHeaders() },
      "the headers of an answer were sent before they were known",
    );
  }

  headers(): Readonly<Record<string, string>> {
    this.#sentEarly = this.#modelHeaders === undefined;
    return this.#currentHeaders();
  }

  #currentHeaders(): Readonly<Record<string, string>> {
    if (this.#modelHeaders === undefined) return {};
    return { ...this.#modelHeaders, ...lossHeader(this.#attempt?.losses() ?? []) };
  }
}

/** The size of a request; 0 if it cannot be read here, so that its provider decides whether it is too long. */
function tokensOf({ api }: Family, { body, model }: ModelCall): number {
  try {
    return requestTokens(api.readRequest(api.forwardable(body, model, {})).context);
  } catch (error) {
    if (error instanceof DragomanError) return 0;
    throw error;
  }
}

/** A request to one model. */
interface Attempt {
  model: Model;
  pieces: AsyncIterable<Piece>;
  /** What the request does not carry over. Available once there is a piece. */
  losses(): readonly Loss[];
}

/**
 * The provider has the client's API, so the request is forwarded unchanged, with the history that it refers to and without
 * thinking that the client carries for another model.
 */
function forwardCall(
  model: Model,
  { api: { signaturePlace }, endpoint }: Family,
  { headers }: HttpRequest,
  { body, stream }: ModelCall,
  state: CallState | undefined,
  signal: AbortSignal,
): Attempt {
  const options = { headers, signal, skim: stream, ...(endpoint === undefined ? {} : { endpoint }) };
  const losses: Loss[] = [];
  const send = (given: JsonObject): AsyncIterable<ForwardedBatch> => {
    if (signaturePlace === undefined) return model.forward(given, options);
    const request = withoutCarried(given, signaturePlace);
    losses.push(...request.losses);
    return model.forward(request.body, options);
  };
  async function* sendWithHistory(call: CallState): AsyncGenerator<Piece> {
    const request = await call.forwarded(model);
    losses.push(...request.losses);
    yield* call.keepBatches(send(request.body), model);
  }
  const pieces = state === undefined ? send(body) : sendWithHistory(state);
  return { model, pieces, losses: () => losses };
}

/** Translates the request into the provider's API. */
function translateCall(
  model: Model,
  family: Family,
  asked: ModelCall,
  state: CallState | undefined,
  signal: AbortSignal,
): Attempt {
  const { api } = family;
  const { signaturePlace: place } = api;
  const given = state?.body ?? asked.body;
  checkRequest(family, given);
  const read = requestReader(api, model.id);
  const ownCalls = api.clientTools?.ownCalls?.(given);
  const { context: own, options } = read(given);
  const context = state?.translated(own) ?? own;
  const messages = place === undefined ? context.messages : restoreThinking(context.messages, place, model);
  const reason = `${nameOf(model)} has another API than ${api.dialect}`;
  const carried = carryOver(family, given, options, reason);
  let losses: readonly Loss[] = [];
  const onLosses = (found: readonly Loss[]) => {
    losses = found;
  };
  const events = model.stream({ ...context, messages }, { ...carried.options, signal, onLosses });
  const answer = ownCalls === undefined ? events : withOwnCalls(events, ownCalls);
  // Stored before it is prepared for the client, so that the history has the model's own signatures.
  const stored = state?.keepEvents(answer) ?? answer;
  const request = { body: asked.body, list: family.list, read, sent: messages.length };
  return {
    model,
    pieces: place === undefined ? stored : carryThinking(stored, place),
    losses: () => [
      ...carried.losses,
      ...placeMessages(request, placeTools(family, given, placeLosses(api, given, losses))),
    ],
  };
}

async function* withFinish<T>(source: AsyncIterable<T>, finish: () => void): AsyncGenerator<T> {
  try {
    yield* source;
  } finally {
    finish();
  }
}
