import { onAbort } from "../../core/async/on-abort.js";
import type { Loss } from "../../core/types.js";
import type { Model } from "../../providers/connect.js";
import { requireOffered } from "../offered-models.js";
import type { Gateway, HttpRequest } from "../types.js";
import { unservable } from "./failure.js";
import type { CallState, Family, ModelCall } from "./family.js";
import { withOwnCalls } from "./own-calls.js";
import type { PendingAnswer } from "./reply.js";
import { SESSION_HEADER } from "./session.js";
import { carryOver, checkRequest, lossHeader, placeLosses } from "./unsupported-fields.js";

/** A call of a model: the client's tools are called by the client. Only an API with state stores anything. */
export async function plainCall(
  { runtime, closing }: Gateway,
  family: Family,
  request: HttpRequest,
  asked: ModelCall,
  state?: CallState,
): Promise<PendingAnswer> {
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
      ? await forwardedCall(model, request, asked, state, line.signal, hangUp)
      : translatedCall(model, family, asked, state, line.signal, hangUp);
  } catch (error) {
    hangUp();
    throw error;
  }
}

/** The model's provider speaks the client's API: the request goes there as it came. */
async function forwardedCall(
  model: Model,
  { headers }: HttpRequest,
  asked: ModelCall,
  state: CallState | undefined,
  signal: AbortSignal,
  hangUp: () => void,
): Promise<PendingAnswer> {
  const { body, losses } = (await state?.forwarded(model)) ?? { body: asked.body, losses: [] };
  const batches = finishing(model.forward(body, { headers, signal, skim: asked.stream }), hangUp);
  return {
    type: "forwarded",
    batches: state?.keepBatches(batches, model) ?? batches,
    headers: () => lossHeader(losses),
    isStored: false,
  };
}

/** The request is read, and written in the API of the model's provider. */
function translatedCall(
  model: Model,
  family: Family,
  asked: ModelCall,
  state: CallState | undefined,
  signal: AbortSignal,
  hangUp: () => void,
): PendingAnswer {
  const { api } = family;
  const given = state?.body ?? asked.body;
  checkRequest(family, given);
  const body = api.clientTools?.asFunctions(given) ?? given;
  const ownCalls = api.clientTools?.ownCalls?.(given);
  const { context: read, options } = api.readRequest(api.forwardable(body, model.id, {}));
  const context = state?.translated(read) ?? read;
  const reason = `${asked.model} is not spoken to in the API of ${api.dialect}`;
  const carried = carryOver(family, given, options, reason);
  let losses: readonly Loss[] = [];
  const events = model.stream(context, {
    ...carried.options,
    signal,
    onLosses: (found) => {
      losses = found;
    },
  });
  const answer = finishing(ownCalls === undefined ? events : withOwnCalls(events, ownCalls), hangUp);
  return {
    type: "events",
    events: state?.keepEvents(answer) ?? answer,
    headers: () => lossHeader([...carried.losses, ...placeLosses(family.api, given, losses)]),
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
