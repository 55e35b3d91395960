import { DragomanError } from "../../core/error.js";
import { parsePointer } from "../../core/json/pointer.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { type ApiName, loadApi } from "../../dialects/registry.js";
import type { ForwardedBatch } from "../../providers/forward.js";
import { type Gateway, type HttpReply, RefusedError } from "../types.js";
import { asRefusal, failureOfAnswer, failureOfError, refuseFailure } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { shownFields } from "./provider-errors.js";
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

/** An answer: our events, the payloads of a provider with the client's API, or one that is complete. */
export type PendingAnswer = (
  | { type: "ready"; body: JsonObject }
  | { type: "events"; events: AsyncIterable<LiveAssistantMessageEvent> }
  | { type: "forwarded"; batches: AsyncIterable<ForwardedBatch> }
) & {
  /** Available once there is an event. */
  headers(): Readonly<Record<string, string>>;
  /** Whether the request was stored, so that a retry would store it twice. */
  isStored: boolean;
  /** The API of the model's provider (default: none). */
  provider?: ApiName | undefined;
};

/** An answer for which no model was called. */
export function readyAnswer(body: JsonObject): PendingAnswer {
  return { type: "ready", body, headers: () => ({}), isStored: false };
}

export interface ReplyOptions {
  gateway: Pick<Gateway, "logger" | "now">;
  family: Family;
  call: ModelCall;
  /** How long a stream may be silent before a keep-alive is sent. */
  silenceMs: number;
}

/** The answer in the client's API, streamed or not. A failure before it starts is a refusal with a status. */
export async function reply(replying: ReplyOptions, answering: PendingAnswer): Promise<HttpReply> {
  const { family, call } = replying;
  if (answering.type === "ready") return { status: 200, json: namedAsAsked(replying, answering.body) };
  const isForwarded = answering.type === "forwarded";
  try {
    if (!call.stream) {
      const body = await (isForwarded
        ? assembleForwarded(replying, answering.batches)
        : writeAnswer(replying, answering.events));
      return { status: 200, headers: answering.headers(), json: body };
    }
    return isForwarded
      ? await streamAnswer(replying, answering.batches, renderForwarded(family, call), answering)
      : await streamAnswer(replying, answering.events, renderEvents(family, call), answering);
  } catch (error) {
    const provider = answering.provider === undefined ? undefined : await loadApi(answering.provider);
    throw asRefusal(error, headersOfFailure(answering), (reported) =>
      shownFields(family, call, provider, reported),
    );
  }
}

function headersOfFailure({ headers, isStored }: PendingAnswer): Record<string, string> {
  return { ...headers(), ...(isStored ? { "x-should-retry": "false" } : {}) };
}

async function writeAnswer(
  { family, call: asked }: ReplyOptions,
  events: AsyncIterable<LiveAssistantMessageEvent>,
): Promise<JsonObject> {
  const name = nameFor(family, asked);
  for await (const event of events) {
    if (event.type !== "done" && event.type !== "error") continue;
    const message = withName(event.type === "done" ? event.message : event.error, name);
    if (event.type === "error") refuseIfError(family, message);
    const response = family.api.response(message);
    return family.echo?.(response, asked.body) ?? response;
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

/** Assembles a streamed answer: the gateway always streams, because proxies close connections that are idle for minutes. */
async function assembleForwarded(
  replying: ReplyOptions,
  batches: AsyncIterable<ForwardedBatch>,
): Promise<JsonObject> {
  const { family } = replying;
  const assembler = family.api.assembler();
  for await (const { payloads, events, last } of batches) {
    for (const payload of payloads) if ("value" in payload) assembler.push(payload.value);
    const end = events.at(-1);
    if (end?.type !== "done" && end?.type !== "error") continue;
    if (end.type === "error") refuseIfError(family, end.error);
    assembler.push(last?.value);
    return namedAsAsked(replying, assembler.response());
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

/** An answer with the client's name for the model. */
function namedAsAsked({ family, call }: ReplyOptions, body: JsonObject): JsonObject {
  return withModel(body, parsePointer(family.modelAt).slice(-1), call.model);
}

/** Some failures, such as refusals, are answers in the API. */
function refuseIfError(family: Family, message: AssistantMessage): void {
  if (isErrorReply(family, message)) throw refuseFailure(failureOfAnswer(message));
}

async function streamAnswer<T>(
  replying: ReplyOptions,
  pieces: AsyncIterable<T>,
  rendering: Rendering<T>,
  { headers }: PendingAnswer,
): Promise<HttpReply> {
  const { family, silenceMs } = replying;
  const source = withSilences(pieces, silenceMs);
  const buffered: (T | typeof SILENCE)[] = [];
  // The status is sent with the first content, or after a long silence.
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
    stream: writeFrames(replying, rendering, buffered, source),
  };
}

async function* writeFrames<T>(
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

/** Errors that are not ours may contain secrets, so they are only logged. */
function wordsOf(error: unknown, { logger }: Pick<Gateway, "logger">): string {
  if (error instanceof RefusedError) return error.message;
  if (error instanceof DragomanError) return refuseFailure(failureOfError(error)).message;
  logger.error({ err: error }, "streaming an answer failed");
  return "the gateway failed";
}
