import { onAbort } from "../../core/async/on-abort.js";
import type { Loss } from "../../core/types.js";
import type { Model } from "../../providers/connect.js";
import { requireOffered } from "../offered-models.js";
import type { Gateway, HttpRequest } from "../types.js";
import { carryThinking, restoreThinking, withoutCarried } from "./carried-thinking.js";
import { unservable } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { withOwnCalls } from "./own-calls.js";
import type { PendingAnswer } from "./reply.js";
import { SESSION_HEADER } from "./session.js";
import { carryOver, checkRequest, lossHeader, placeLosses } from "./unsupported-fields.js";

/** A call of a model: the client's tools are called by the client, and nothing is stored. */
export function plainCall(
  { runtime, closing }: Gateway,
  family: Family,
  request: HttpRequest,
  asked: ModelCall,
): PendingAnswer {
  if (request.headers[SESSION_HEADER] !== undefined) {
    throw unservable(
      "",
      `${SESSION_HEADER} is for models named agent/…; nothing is stored of ${asked.model}`,
    );
  }
  const model = runtime.connect(asked.model);
  requireOffered(runtime, request.caller, asked.model);
  const line = new AbortController();
  const listening = [request.signal, closing].map((signal) =>
    onAbort(signal, () => line.abort(signal.reason)),
  );
  const hangUp = () => {
    for (const unlisten of listening) unlisten();
  };
  try {
    return model.api === family.api.dialect
      ? forwardedCall(model, family, request, asked, line.signal, hangUp)
      : translatedCall(model, family, asked, line.signal, hangUp);
  } catch (error) {
    hangUp();
    throw error;
  }
}

/** The model's provider speaks the client's API: the request goes there as it came. */
function forwardedCall(
  model: Model,
  { api }: Family,
  { headers }: HttpRequest,
  { body: given, stream }: ModelCall,
  signal: AbortSignal,
  hangUp: () => void,
): PendingAnswer {
  const { signaturePlace: place } = api;
  const { body, losses } = place === undefined ? { body: given, losses: [] } : withoutCarried(given, place);
  return {
    type: "forwarded",
    batches: finishing(model.forward(body, { headers, signal, skim: stream }), hangUp),
    headers: () => lossHeader(losses),
    isStored: false,
  };
}

/** The request is read, and written in the API of the model's provider. */
function translatedCall(
  model: Model,
  family: Family,
  asked: ModelCall,
  signal: AbortSignal,
  hangUp: () => void,
): PendingAnswer {
  const { api } = family;
  checkRequest(family, asked.body);
  const body = api.clientTools?.asFunctions(asked.body) ?? asked.body;
  const ownCalls = api.clientTools?.ownCalls?.(asked.body);
  const { signaturePlace: place } = api;
  const { context, options } = api.readRequest(api.forwardable(body, model.id, {}));
  const messages = place === undefined ? context.messages : restoreThinking(context.messages, place, model);
  const reason = `${asked.model} is not spoken to in the API of ${api.dialect}`;
  const carried = carryOver(family, asked.body, options, reason);
  let losses: readonly Loss[] = [];
  const answer = model.stream(
    { ...context, messages },
    {
      ...carried.options,
      signal,
      onLosses: (found) => {
        losses = found;
      },
    },
  );
  const events = place === undefined ? answer : carryThinking(answer, place);
  return {
    type: "events",
    events: finishing(ownCalls === undefined ? events : withOwnCalls(events, ownCalls), hangUp),
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
