import { DragomanError } from "../../core/error.js";
import { parsePointer } from "../../core/json/pointer.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage, isPriceUnknown } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import type { ForwardedBatch } from "../../providers/forward.js";
import { dollarText } from "../../runtime/usage/budget.js";
import { type Gateway, type HttpReply, RefusedError } from "../types.js";
import { asRefusal, failureOfAnswer, failureOfError, refuseFailure } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import {
  isErrorReply,
  nameFor,
  type Rendering,
  renderEvents,
  renderForwarded,
  withModel,
  withName,
} from "./rendering.js";
import { SILENCE, withSilences } from "./silences.js";

/** An answer that is on its way: as our events, or as the payloads of a provider that speaks the client's API. */
export type PendingAnswer = (
  | { type: "events"; events: AsyncIterable<LiveAssistantMessageEvent> }
  | { type: "forwarded"; batches: AsyncIterable<ForwardedBatch> }
) & {
  /** Known as soon as there is an event. */
  headers(): Readonly<Record<string, string>>;
  /** A failed request was stored, so that sending it again would store it twice. */
  isStored: boolean;
};

export interface ReplyOptions {
  gateway: Pick<Gateway, "logger" | "now">;
  family: Family;
  call: ModelCall;
  /** How long a stream may be silent before the client is shown that it lives. */
  silenceMs: number;
}

/** The answer in the client's API, whole or as a stream; what fails before it has begun is refused with a status. */
export async function reply(replying: ReplyOptions, answering: PendingAnswer): Promise<HttpReply> {
  const { family, call } = replying;
  const isForwarded = answering.type === "forwarded";
  try {
    if (!call.stream) {
      const { body, message } = await (isForwarded
        ? wholeForwarded(replying, answering.batches)
        : whole(replying, answering.events));
      return { status: 200, headers: { ...answering.headers(), ...costHeader(message) }, json: body };
    }
    return isForwarded
      ? await streamed(replying, answering.batches, renderForwarded(family, call), answering)
      : await streamed(replying, answering.events, renderEvents(family, call), answering);
  } catch (error) {
    throw asRefusal(error, headersOfFailure(answering));
  }
}

function headersOfFailure({ headers, isStored }: PendingAnswer): Record<string, string> {
  return { ...headers(), ...(isStored ? { "x-should-retry": "false" } : {}) };
}

/** A whole answer in the client's API, and the message it was made from. */
interface WholeAnswer {
  body: JsonObject;
  message: AssistantMessage;
}

/** What the answer cost, in dollars, if that is known. A stream sends its headers before. */
function costHeader(message: AssistantMessage): Record<string, string> {
  return isPriceUnknown(message) ? {} : { "x-dragoman-cost": dollarText(message.usage.cost.total) };
}

async function whole(
  { family, call: asked }: ReplyOptions,
  events: AsyncIterable<LiveAssistantMessageEvent>,
): Promise<WholeAnswer> {
  const name = nameFor(family, asked);
  for await (const event of events) {
    if (event.type !== "done" && event.type !== "error") continue;
    const message = withName(event.type === "done" ? event.message : event.error, name);
    if (event.type === "error") refuseIfError(family, message);
    const response = family.api.response(message);
    return { body: family.echo?.(response, asked.body) ?? response, message };
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

/** The provider was asked for a stream, because a connection without a byte for minutes is cut off on the way. */
async function wholeForwarded(
  { family, call }: ReplyOptions,
  batches: AsyncIterable<ForwardedBatch>,
): Promise<WholeAnswer> {
  const assembler = family.api.assembler();
  for await (const { payloads, events, last } of batches) {
    for (const { value } of payloads) assembler.push(value);
    const end = events.at(-1);
    if (end?.type !== "done" && end?.type !== "error") continue;
    if (end.type === "error") refuseIfError(family, end.error);
    assembler.push(last?.value);
    const body = withModel(assembler.response(), parsePointer(family.modelAt).slice(-1), call.model);
    return { body, message: end.type === "done" ? end.message : end.error };
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

/** Some failures are answers to an API, such as one that its provider refused. */
function refuseIfError(family: Family, message: AssistantMessage): void {
  if (isErrorReply(family, message)) throw refuseFailure(failureOfAnswer(message));
}

async function streamed<T>(
  replying: ReplyOptions,
  pieces: AsyncIterable<T>,
  rendering: Rendering<T>,
  { headers }: PendingAnswer,
): Promise<HttpReply> {
  const { family, silenceMs } = replying;
  const source = withSilences(pieces, silenceMs);
  const buffered: (T | typeof SILENCE)[] = [];
  // The status is sent when there is content, or after a long silence.
  for (let isCertain = false; !isCertain; ) {
    const next = await source.next();
    if (next.done === true) throw new DragomanError("provider/bad-response", "the model gave no answer");
    buffered.push(next.value);
    const first =
      next.value === SILENCE ? SILENCE : rendering.events(next.value).find(({ type }) => type !== "start");
    if (first !== SILENCE && first?.type === "error") refuseIfError(family, first.error);
    isCertain = first !== undefined;
  }
  const type = family.api.framing === "sse" ? "text/event-stream; charset=utf-8" : "application/x-ndjson";
  return {
    status: 200,
    headers: { "content-type": type, "cache-control": "no-cache", ...headers() },
    stream: frames(replying, rendering, buffered, source),
  };
}

async function* frames<T>(
  { family, call, gateway }: ReplyOptions,
  rendering: Rendering<T>,
  buffered: readonly (T | typeof SILENCE)[],
  rest: AsyncIterable<T | typeof SILENCE>,
): AsyncGenerator<string> {
  const write = (piece: T | typeof SILENCE): string =>
    piece === SILENCE ? family.ping(call.model, gateway.now()) : rendering.write(piece);
  try {
    for (const piece of buffered) yield write(piece);
    for await (const piece of rest) {
      const text = write(piece);
      if (text !== "") yield text;
    }
  } catch (error) {
    yield rendering.fail(failedAnswer(family, call, gateway.now(), wordsOf(error, gateway)));
  }
}

function failedAnswer(
  { api }: Family,
  { model }: ModelCall,
  timestamp: number,
  errorMessage: string,
): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: api.api,
    provider: "",
    model,
    usage: emptyUsage(),
    stopReason: "error",
    errorMessage,
    timestamp,
  };
}

/** What is none of ours may hold anything, so only the console is told. */
function wordsOf(error: unknown, { logger }: Pick<Gateway, "logger">): string {
  if (error instanceof RefusedError) return error.message;
  if (error instanceof DragomanError) return refuseFailure(failureOfError(error)).message;
  logger.error({ err: error }, "a stream of an answer failed");
  return "the gateway failed";
}
