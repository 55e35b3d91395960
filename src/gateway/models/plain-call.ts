import { onAbort } from "../../core/async/on-abort.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import type { FailedModel } from "../../core/message/fallbacks.js";
import { requestTokens } from "../../core/shown/tokens.js";
import type { Loss } from "../../core/types.js";
import { nameOf } from "../../providers/ask-in-turn.js";
import type { Model } from "../../providers/connect.js";
import { FallbackModel } from "../../providers/fallback-model.js";
import { requireOffered } from "../offered-models.js";
import type { Gateway, HttpRequest } from "../types.js";
import { unservable } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { modelHeaders } from "./model-headers.js";
import { withOwnCalls } from "./own-calls.js";
import { eventsOf, type Piece } from "./piece.js";
import type { PendingAnswer } from "./reply.js";
import { SESSION_HEADER } from "./session.js";
import { carryOver, checkRequest, lossHeader, placeLosses } from "./unsupported-fields.js";

/** A call of a model: the client's tools are called by the client, and nothing is stored. */
export function plainCall(
  { runtime, closing, logger }: Gateway,
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
  const { signal } = line;
  const listening = [request.signal, closing].map((each) => onAbort(each, () => line.abort(each.reason)));
  const hangUp = () => {
    for (const unlisten of listening) unlisten();
  };
  let asking: Attempt | undefined;
  let answered: { model: Model; failed: readonly FailedModel[] } | undefined;
  let sentEarly = false;
  const ask = (one: Model): AsyncIterable<Piece> => {
    asking =
      one.api === family.api.dialect
        ? forwardedCall(one, request, asked, signal)
        : translatedCall(one, family, asked, signal);
    return asking.pieces;
  };
  const headersNow = () =>
    answered === undefined ? {} : { ...headersOf(answered), ...lossHeader(asking?.losses() ?? []) };
  const onDeliver = (one: Model, failed: readonly FailedModel[]) => {
    answered = { model: one, failed };
    if (sentEarly)
      logger.warn({ missing: headersNow() }, "the headers of an answer were sent before they were known");
  };
  try {
    return {
      pieces: finishing(askFor(model), hangUp),
      headers: () => {
        sentEarly = answered === undefined;
        return headersNow();
      },
      isStored: false,
    };
  } catch (error) {
    hangUp();
    throw error;
  }

  function askFor(called: Model): AsyncIterable<Piece> {
    if (!(called instanceof FallbackModel)) {
      onDeliver(called, []);
      return ask(called);
    }
    return called.answer({
      ask,
      eventsOf,
      tokens: async () => tokensOf(family, asked),
      onDeliver,
      onSkip: (one, error) =>
        logger.warn({ model: nameOf(one), reason: wordsOf(error) }, "a model cannot be sent the request"),
      signal,
    });
  }
}

function headersOf({ model, failed }: { model: Model; failed: readonly FailedModel[] }) {
  return modelHeaders({ provider: model.provider, model: model.id }, failed);
}

/** A forwarded request need not be readable here: then its provider finds out whether it is too long. */
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
  pieces: AsyncIterable<Piece>;
  /** What the request does not carry over; known as soon as there is a piece. */
  losses(): readonly Loss[];
}

/** The model's provider speaks the client's API: the request goes there as it came. */
function forwardedCall(
  model: Model,
  { headers }: HttpRequest,
  { body, stream }: ModelCall,
  signal: AbortSignal,
): Attempt {
  return { pieces: model.forward(body, { headers, signal, skim: stream }), losses: () => [] };
}

/** The request is read, and written in the API of the model's provider. */
function translatedCall(model: Model, family: Family, asked: ModelCall, signal: AbortSignal): Attempt {
  const { api } = family;
  checkRequest(family, asked.body);
  const body = api.clientTools?.asFunctions(asked.body) ?? asked.body;
  const ownCalls = api.clientTools?.ownCalls?.(asked.body);
  const { context, options } = api.readRequest(api.forwardable(body, model.id, {}));
  const reason = `${nameOf(model)} is not spoken to in the API of ${api.dialect}`;
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
    pieces: ownCalls === undefined ? events : withOwnCalls(events, ownCalls),
    losses: () => [...carried.losses, ...placeLosses(family.api, asked.body, losses)],
  };
}

async function* finishing<T>(source: AsyncIterable<T>, finish: () => void): AsyncGenerator<T> {
  try {
    yield* source;
  } finally {
    finish();
  }
}
