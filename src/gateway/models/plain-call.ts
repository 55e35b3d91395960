import { onAbort } from "../../core/async/on-abort.js";
import type { Loss } from "../../core/types.js";
import { requireOffered } from "../offered-models.js";
import type { Gateway, HttpRequest } from "../types.js";
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
  const { dialect, clientTools } = family.api;
  const isOwnApi = model.api === dialect;
  if (!isOwnApi) checkRequest(family, asked.body);
  const body = isOwnApi ? asked.body : (clientTools?.asFunctions(asked.body) ?? asked.body);
  const ownCalls = isOwnApi ? undefined : clientTools?.ownCalls?.(asked.body);
  const { context, options } = family.api.readRequest(family.streamed({ ...body, model: model.id }));
  const carried = isOwnApi
    ? { options, losses: [] }
    : carryOver(family, asked.body, options, `${asked.model} is not spoken to in the API of ${dialect}`);
  let losses: readonly Loss[] = [];
  const line = new AbortController();
  const listening = [request.signal, closing].map((signal) =>
    onAbort(signal, () => line.abort(signal.reason)),
  );
  const events = model.stream(context, {
    ...carried.options,
    signal: line.signal,
    onLosses: (found) => {
      losses = found;
    },
  });
  return {
    events: finishing(ownCalls === undefined ? events : withOwnCalls(events, ownCalls), listening),
    headers: () => lossHeader([...carried.losses, ...placeLosses(family.api, asked.body, losses)]),
    isStored: false,
  };
}

async function* finishing<T>(source: AsyncIterable<T>, steps: readonly (() => void)[]): AsyncGenerator<T> {
  try {
    yield* source;
  } finally {
    for (const step of steps) step();
  }
}
