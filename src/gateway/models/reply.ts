import { isErrorReply } from "../../core/api/error-reply.js";
import { DragomanError } from "../../core/error.js";
import { parsePointer } from "../../core/json/pointer.js";
import type { JsonObject } from "../../core/json/value.js";
import { emptyUsage, isPriceUnknown } from "../../core/message/usage.js";
import type { AssistantMessage } from "../../core/types.js";
import { type ApiName, loadApi } from "../../dialects/registry.js";
import { textBytes } from "../../framing/bytes.js";
import { dollarText } from "../../runtime/usage/budget.js";
import { withSilences } from "../http/silences.js";
import { type BodyPiece, type Gateway, type HttpReply, RefusedError } from "../types.js";
import { asRefusal, failureOfAnswer, failureOfError, refuseFailure } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { eventsOf, isForwarded, type Piece } from "./piece.js";
import { shownFields } from "./provider-errors.js";
import { nameFor, type Rendering, renderAnswer, withModel, withName } from "./rendering.js";

/** Marks a period without pieces. */
const SILENCE = Symbol("silence");

/** An answer in progress. */
export interface PendingAnswer {
  pieces: AsyncIterable<Piece>;
  /** Available once there is a piece. */
  headers(): Readonly<Record<string, string>>;
  /** Whether the request was stored, so that a retry would store it twice. */
  isStored: boolean;
  /** The API of the provider that was asked last (default: none). */
  provider?(): ApiName | undefined;
}

/** An answer for which no model was called. */
export interface ReadyAnswer {
  ready: JsonObject;
}

export interface ReplyOptions {
  gateway: Pick<Gateway, "logger" | "now">;
  family: Family;
  call: ModelCall;
  /** How long a stream may be silent before a keep-alive is sent. */
  silenceMs: number;
}

/** The answer in the client's API, streamed or not. A failure before it starts is a refusal with a status. */
export async function reply(
  replying: ReplyOptions,
  answering: PendingAnswer | ReadyAnswer,
): Promise<HttpReply> {
  if ("ready" in answering) return { status: 200, json: namedAsAsked(replying, answering.ready) };
  const { family, call } = replying;
  try {
    if (call.stream) return await streamAnswer(replying, answering);
    const { body, message } = await writeAnswer(replying, answering.pieces);
    return { status: 200, headers: { ...answering.headers(), ...costHeader(message) }, json: body };
  } catch (error) {
    const name = answering.provider?.();
    const provider = name === undefined ? undefined : await loadApi(name);
    throw asRefusal(error, headersOfFailure(answering), (reported) =>
      shownFields(family, call, provider, reported),
    );
  }
}

function headersOfFailure({ headers, isStored }: PendingAnswer): Record<string, string> {
  return { ...headers(), ...(isStored ? { "x-should-retry": "false" } : {}) };
}

/** A complete answer in the client's API, and the message that it was made from. */
interface WrittenAnswer {
  body: JsonObject;
  message: AssistantMessage;
}

/** The cost of the answer in dollars, if it is known. A stream sends its headers before that. */
function costHeader(message: AssistantMessage): Record<string, string> {
  return isPriceUnknown(message) ? {} : { "x-dragoman-cost": dollarText(message.usage.cost.total) };
}

/** Waits for the complete answer. Providers are always asked to stream, because proxies close connections that are idle for minutes. */
async function writeAnswer(replying: ReplyOptions, pieces: AsyncIterable<Piece>): Promise<WrittenAnswer> {
  const { family, call } = replying;
  const assembler = family.api.assembler();
  for await (const piece of pieces) {
    if (isForwarded(piece)) {
      for (const payload of piece.payloads) if ("value" in payload) assembler.push(payload.value);
    }
    const end = eventsOf(piece).at(-1);
    if (end?.type !== "done" && end?.type !== "error") continue;
    if (end.type === "error") refuseIfError(family, end.error);
    const message = end.type === "done" ? end.message : end.error;
    if (isForwarded(piece)) {
      assembler.push(piece.last?.value);
      return { body: namedAsAsked(replying, assembler.response()), message };
    }
    const response = family.api.response(withName(message, nameFor(family, call)));
    return { body: family.echo?.(response, call.body) ?? response, message };
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

/** An answer with the client's name for the model. */
function namedAsAsked({ family, call }: ReplyOptions, body: JsonObject): JsonObject {
  return withModel(body, parsePointer(family.modelAt).slice(-1), call.model);
}

/** Some failures, such as refusals, are answers in the API. */
function refuseIfError(family: Family, message: AssistantMessage): void {
  if (isErrorReply(family.api, message)) throw refuseFailure(failureOfAnswer(message));
}

async function streamAnswer(replying: ReplyOptions, { pieces, headers }: PendingAnswer): Promise<HttpReply> {
  const { family, call, silenceMs } = replying;
  const rendering = renderAnswer(family, call);
  const source = withSilences<Piece, typeof SILENCE>(pieces, silenceMs, SILENCE);
  const buffered: (Piece | typeof SILENCE)[] = [];
  // The status is sent with the first content, or after a long silence.
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
    stream: writeFrames(replying, rendering, buffered, source),
  };
}

async function* writeFrames(
  { family, call, gateway }: ReplyOptions,
  rendering: Rendering<Piece>,
  buffered: readonly (Piece | typeof SILENCE)[],
  rest: AsyncIterable<Piece | typeof SILENCE>,
): AsyncGenerator<BodyPiece> {
  const write = (piece: Piece | typeof SILENCE) =>
    piece === SILENCE ? family.ping(call.model, gateway.now()) : joinFrames(rendering.write(piece));
  try {
    for (const piece of buffered) yield write(piece);
    for await (const piece of rest) yield write(piece);
  } catch (error) {
    yield rendering.fail(failedAnswer(family, call, gateway.now(), wordsOf(error, gateway)));
  }
}

/** One piece, because a write takes longer than a copy. */
function joinFrames(frames: readonly BodyPiece[]): BodyPiece {
  const [first] = frames;
  if (frames.length === 1 && first !== undefined) return first;
  if (frames.every((frame) => typeof frame === "string")) return frames.join("");
  return Buffer.concat(frames.map(bytesOf));
}

function bytesOf(frame: BodyPiece): Uint8Array {
  if (typeof frame === "string") return Buffer.from(frame);
  return "byteString" in frame ? textBytes(frame.byteString) : frame;
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
