import { isErrorReply } from "../../core/api/error-reply.js";
import { DragomanError } from "../../core/error.js";
import { parsePointer } from "../../core/json/pointer.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage } from "../../core/types.js";
import { type Gateway, type HttpReply, RefusedError } from "../types.js";
import { asRefusal, failureOfAnswer, failureOfError, refuseFailure } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { eventsOf, isForwarded, type Piece } from "./piece.js";
import { nameFor, type Rendering, renderAnswer, withModel, withName } from "./rendering.js";
import { SILENCE, withSilences } from "./silences.js";

/** An answer that is on its way. */
export interface PendingAnswer {
  pieces: AsyncIterable<Piece>;
  /** Known as soon as there is a piece. */
  headers(): Readonly<Record<string, string>>;
  /** A failed request was stored, so that sending it again would store it twice. */
  isStored: boolean;
}

export interface ReplyOptions {
  gateway: Pick<Gateway, "logger" | "now">;
  family: Family;
  call: ModelCall;
  /** How long a stream may be silent before the client is shown that it lives. */
  silenceMs: number;
}

/** The answer in the client's API, whole or as a stream; what fails before it has begun is refused with a status. */
export async function reply(replying: ReplyOptions, answering: PendingAnswer): Promise<HttpReply> {
  try {
    if (replying.call.stream) return await streamed(replying, answering);
    const json = await whole(replying, answering.pieces);
    return { status: 200, headers: answering.headers(), json };
  } catch (error) {
    throw asRefusal(error, headersOfFailure(answering));
  }
}

function headersOfFailure({ headers, isStored }: PendingAnswer): Record<string, string> {
  return { ...headers(), ...(isStored ? { "x-should-retry": "false" } : {}) };
}

async function whole({ family, call }: ReplyOptions, pieces: AsyncIterable<Piece>): Promise<JsonObject> {
  const assembler = family.api.assembler();
  for await (const piece of pieces) {
    // The provider was asked for a stream, because a connection without a byte for minutes is cut off on the way.
    if (isForwarded(piece)) for (const { value } of piece.payloads) assembler.push(value);
    const end = eventsOf(piece).at(-1);
    if (end?.type !== "done" && end?.type !== "error") continue;
    if (end.type === "error") refuseIfError(family, end.error);
    if (isForwarded(piece)) {
      assembler.push(piece.last?.value);
      return withModel(assembler.response(), parsePointer(family.modelAt).slice(-1), call.model);
    }
    const message = withName(end.type === "done" ? end.message : end.error, nameFor(family, call));
    const response = family.api.response(message);
    return family.echo?.(response, call.body) ?? response;
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

/** Some failures are answers to an API, such as one that its provider refused. */
function refuseIfError(family: Family, message: AssistantMessage): void {
  if (isErrorReply(family.api, message)) throw refuseFailure(failureOfAnswer(message));
}

async function streamed(replying: ReplyOptions, { pieces, headers }: PendingAnswer): Promise<HttpReply> {
  const { family, call, silenceMs } = replying;
  const rendering = renderAnswer(family, call);
  const source = withSilences(pieces, silenceMs);
  const buffered: (Piece | typeof SILENCE)[] = [];
  // The status is sent when there is content, or after a long silence.
  for (let isCertain = false; !isCertain; ) {
    const next = await source.next();
    if (next.done === true) throw new DragomanError("provider/bad-response", "the model gave no answer");
    buffered.push(next.value);
    const first =
      next.value === SILENCE ? SILENCE : eventsOf(next.value).find(({ type }) => type !== "start");
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

async function* frames(
  { family, call, gateway }: ReplyOptions,
  rendering: Rendering<Piece>,
  buffered: readonly (Piece | typeof SILENCE)[],
  rest: AsyncIterable<Piece | typeof SILENCE>,
): AsyncGenerator<string> {
  const write = (piece: Piece | typeof SILENCE): string =>
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
