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

/** A call of a model: the client's tools are called by the client, and nothing is stored. */
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
      `${SESSION_HEADER} is for models named agent/…; nothing is stored of ${asked.model}`,
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
      ? forwardedCall(model, family, request, asked, signal, release)
      : translatedCall(model, family, asked, signal, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The model's provider speaks the client's API: the request goes there as it came. */
function forwardedCall(
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
    batches: finishing(model.forward(body, { headers, signal, skim: stream, ...called }), release),
    headers: () => ({}),
    isStored: false,
  };
}

/** The request is read, and written in the API of the model's provider. */
function translatedCall(
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
  const reason = `${asked.model} is not spoken to in the API of ${api.dialect}`;
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
    events: finishing(ownCalls === undefined ? events : withOwnCalls(events, ownCalls), release),
    headers: () => lossHeader([...carried.losses, ...placeLosses(family.api, asked.body, losses)]),
    isStored: false,
  };
}

async function* finishing<T>(source: AsyncIterable<T>, finish: () => void): AsyncGenerator<T> {
  try {
    yield* source;
  } finally {
    finish();
  }
}
