import type { Loss } from "../../core/types.js";
import type { Model } from "../../providers/connect.js";
import { requireOffered } from "../offered-models.js";
import type { Gateway, HttpRequest } from "../types.js";
import { callerSignal } from "./caller-signal.js";
import { unservable } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { withOwnCalls } from "./own-calls.js";
import { type PendingAnswer, readyAnswer } from "./reply.js";
import { SESSION_HEADER } from "./session.js";
import { carryOver, checkRequest, lossHeader, placeLosses } from "./unsupported-fields.js";

/** Calls a model. The client runs its tools itself, and nothing is stored. */
export function plainCall(
  gateway: Gateway,
  family: Family,
  request: HttpRequest,
  asked: ModelCall,
): PendingAnswer {
  const { runtime } = gateway;
  if (request.headers[SESSION_HEADER] !== undefined) {
    throw unservable(
      "",
      `${SESSION_HEADER} is only for models named agent/…; calls of ${asked.model} are not stored`,
    );
  }
  const model = runtime.connect(asked.model);
  requireOffered(runtime, request.caller, asked.model);
  const isForwarded = model.api === family.api.dialect;
  const ready = isForwarded ? undefined : family.idleReply?.(asked, gateway.now());
  if (ready !== undefined) return readyAnswer(ready);
  const { signal, release } = callerSignal(request, gateway);
  try {
    return isForwarded
      ? forwardCall(model, family, request, asked, signal, release)
      : translateCall(model, family, asked, signal, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The provider has the client's API, so the request is forwarded unchanged. */
function forwardCall(
  model: Model,
  { endpoint }: Family,
  { headers }: HttpRequest,
  { body, stream }: ModelCall,
  signal: AbortSignal,
  release: () => void,
): PendingAnswer {
  const called = endpoint === undefined ? {} : { endpoint };
  return {
    type: "forwarded",
    batches: withFinish(model.forward(body, { headers, signal, skim: stream, ...called }), release),
    headers: () => ({}),
    isStored: false,
    provider: model.api,
  };
}

/** Translates the request into the provider's API. */
function translateCall(
  model: Model,
  family: Family,
  asked: ModelCall,
  signal: AbortSignal,
  release: () => void,
): PendingAnswer {
  const { api } = family;
  checkRequest(family, asked.body);
  const body = api.clientTools?.asFunctions(asked.body) ?? asked.body;
  const ownCalls = api.clientTools?.ownCalls?.(asked.body);
  const { context, options } = api.readRequest(api.forwardable(body, model.id, {}));
  const reason = `${asked.model} has another API than ${api.dialect}`;
  const carried = carryOver(family, asked.body, options, reason);
  let losses: readonly Loss[] = [];
  const events = model.stream(context, {
    ...carried.options,
    signal,
    onLosses: (found) => {
      losses = found;
    },
  });
  return {
    type: "events",
    events: withFinish(ownCalls === undefined ? events : withOwnCalls(events, ownCalls), release),
    headers: () => lossHeader([...carried.losses, ...placeLosses(family.api, asked.body, losses)]),
    isStored: false,
    provider: model.api,
  };
}

async function* withFinish<T>(source: AsyncIterable<T>, finish: () => void): AsyncGenerator<T> {
  try {
    yield* source;
  } finally {
    finish();
  }
}
