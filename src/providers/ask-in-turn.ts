import { DragomanError } from "../core/error.js";
import { FALLBACK_REASONS, type FailedModel, type FallbackReason } from "../core/message/fallbacks.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { nameOf } from "./connectors.js";
import { reasonOfAnswer, reasonOfError } from "./fallback-reason.js";
import type { Model } from "./model.js";

/** A model in a list. */
export interface Candidate {
  model: Model;
  /** The failures of the models before it after which it is asked (default: all). */
  on?: readonly FallbackReason[];
}

/** A request that moves from one model to another; models are named `provider/model`. */
export interface Fallback {
  from: string;
  to: string;
  reason: FallbackReason;
}

/** A request that can be sent to each of several models. `T` is what an answer consists of: events, or batches of them. */
export interface SharedRequest<T> {
  /** Throws if the request cannot be written for this model. */
  ask(model: Model): AsyncIterable<T>;
  eventsOf(piece: T): readonly LiveAssistantMessageEvent[];
  /** The approximate size of the request (default: unknown). */
  tokens?(): Promise<number>;
  /** Called before the first piece, with the model that it is from. */
  onDeliver?(model: Model, failed: readonly FailedModel[]): void;
  /** Called with a model that is passed over because the request cannot be written for it. */
  onSkip?(model: Model, error: unknown): void;
  signal?: AbortSignal | undefined;
}

/** A model that was asked. */
interface Asked<T> {
  index: number;
  model: Model;
  source: AsyncIterator<T>;
}

/** An answer up to its first content, or up to its failure. */
interface Beginning<T> {
  pieces: readonly T[];
  thrown?: { error: unknown };
  /** Why another model may answer instead. */
  reason?: FallbackReason | undefined;
}

/**
 * The answer of one model. The first is asked; where it fails before its answer has content, the next one in the list whose
 * conditions include the reason, and so on. The caller gets nothing of a failed model, unless no other one is left.
 */
export async function* askInTurn<T>(
  candidates: readonly Candidate[],
  request: SharedRequest<T>,
  onFallback: (fallback: Fallback) => void,
): AsyncGenerator<T> {
  const failed: FailedModel[] = [];
  const [first] = candidates;
  if (first === undefined) throw new TypeError("the list of models is empty");
  let asked = open(first.model, 0, request);
  for (;;) {
    const larger = await largerModel(candidates, asked, request);
    const begun: Beginning<T> = larger === undefined ? await begin(asked, request) : TOO_LONG;
    const { reason } = begun;
    const next = larger ?? openNext(candidates, asked, reason, request);
    if (next === undefined || reason === undefined) {
      request.onDeliver?.(asked.model, failed);
      yield* deliver(begun, asked, failed, request);
      return;
    }
    await asked.source.return?.();
    const [from, to] = [nameOf(asked.model), nameOf(next.model)];
    failed.push({ model: from, reason });
    onFallback({ from, to, reason });
    asked = next;
  }
}

const TOO_LONG = { pieces: [], reason: "context" } as const;

function open<T>(model: Model, index: number, { ask }: SharedRequest<T>): Asked<T> {
  return { index, model, source: ask(model)[Symbol.asyncIterator]() };
}

/** The next model that may answer after this failure, and that the request can be written for. */
function openNext<T>(
  candidates: readonly Candidate[],
  { index }: Asked<T>,
  reason: FallbackReason | undefined,
  request: SharedRequest<T>,
): Asked<T> | undefined {
  if (reason === undefined || request.signal?.aborted === true) return undefined;
  for (const [later, { model, on = FALLBACK_REASONS }] of candidates.entries()) {
    if (later <= index || !on.includes(reason)) continue;
    try {
      return open(model, later, request);
    } catch (error) {
      // Not thrown: the caller can repeat the request after the first model's failure.
      request.onSkip?.(model, error);
    }
  }
  return undefined;
}

/** The model to ask instead of one whose context window is known to be too small. */
async function largerModel<T>(
  candidates: readonly Candidate[],
  asked: Asked<T>,
  request: SharedRequest<T>,
): Promise<Asked<T> | undefined> {
  const { contextWindow } = asked.model.card;
  const isLast = asked.index === candidates.length - 1;
  if (contextWindow === undefined || isLast || request.tokens === undefined) return undefined;
  return (await request.tokens()) > contextWindow
    ? openNext(candidates, asked, "context", request)
    : undefined;
}

async function begin<T>({ model, source }: Asked<T>, { eventsOf }: SharedRequest<T>): Promise<Beginning<T>> {
  const pieces: T[] = [];
  try {
    for (;;) {
      const step = await source.next();
      if (step.done === true) return { pieces };
      pieces.push(step.value);
      const first = eventsOf(step.value).find(({ type }) => type !== "start");
      if (first === undefined) continue;
      return first.type === "error"
        ? { pieces, reason: await reasonOfAnswer(first.error, model.api) }
        : { pieces };
    }
  } catch (error) {
    return { pieces, thrown: { error }, reason: reasonOfError(error, model.api) };
  }
}

async function* deliver<T>(
  { pieces, thrown }: Beginning<T>,
  { source }: Asked<T>,
  failed: readonly FailedModel[],
  { eventsOf }: SharedRequest<T>,
): AsyncGenerator<T> {
  const noted = (piece: T): T => {
    if (failed.length > 0) for (const event of eventsOf(piece)) noteFailed(event, failed);
    return piece;
  };
  try {
    for (const piece of pieces) yield noted(piece);
    if (thrown !== undefined) throw withFailed(thrown.error, failed);
    for (let step = await source.next(); step.done !== true; step = await source.next()) {
      yield noted(step.value);
    }
  } finally {
    await source.return?.();
  }
}

/** Notes in the answer which models failed before it; see `fallbacksIn`. */
function noteFailed(event: LiveAssistantMessageEvent, fallbacks: readonly FailedModel[]): void {
  const message =
    event.type === "start"
      ? event.partial
      : event.type === "done"
        ? event.message
        : event.type === "error"
          ? event.error
          : undefined;
  if (message !== undefined) message.ext = { ...message.ext, fallbacks };
}

function withFailed(error: unknown, failed: readonly FailedModel[]): unknown {
  if (!(error instanceof DragomanError) || failed.length === 0) return error;
  const { code, message, hint, details } = error;
  const before = failed.map(({ model, reason }) => `${model} (${reason})`).join(", ");
  return new DragomanError(code, `${message}; failed before: ${before}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
    cause: error,
  });
}
