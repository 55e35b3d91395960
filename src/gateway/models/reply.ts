import type { StreamPayload } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { formatSse } from "../../framing/sse-format.js";
import { type Gateway, type HttpReply, RefusedError } from "../types.js";
import { asRefusal, failureOfAnswer, failureOfError, refuseFailure } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { SILENCE, withSilences } from "./silences.js";

/** An answer that is on its way. */
export interface PendingAnswer {
  events: AsyncIterable<LiveAssistantMessageEvent>;
  /** Known as soon as there is an event. */
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
    return await (replying.call.stream ? streamed(replying, answering) : whole(replying, answering));
  } catch (error) {
    throw asRefusal(error, headersOfFailure(answering));
  }
}

function headersOfFailure({ headers, isStored }: PendingAnswer): Record<string, string> {
  return { ...headers(), ...(isStored ? { "x-should-retry": "false" } : {}) };
}

async function whole(
  { family, call: asked }: ReplyOptions,
  { events, headers }: PendingAnswer,
): Promise<HttpReply> {
  const name = nameFor(family, asked);
  for await (const event of events) {
    if (event.type !== "done" && event.type !== "error") continue;
    const message = withName(event.type === "done" ? event.message : event.error, name);
    const body = family.api.response(message);
    // Some failures are answers to an API, such as one that its provider refused.
    if (body["error"] !== undefined && body["error"] !== null) throw refuseFailure(failureOfAnswer(message));
    return { status: 200, headers: headers(), json: body };
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

async function streamed(replying: ReplyOptions, { events, headers }: PendingAnswer): Promise<HttpReply> {
  const { family, silenceMs } = replying;
  const source = withSilences(events, silenceMs);
  const buffered: (LiveAssistantMessageEvent | typeof SILENCE)[] = [];
  // The status is told when it is certain that there is something to say, or when it has been silent for too long.
  for (let isCertain = false; !isCertain; ) {
    const next = await source.next();
    if (next.done === true) throw new DragomanError("provider/bad-response", "the model gave no answer");
    buffered.push(next.value);
    if (next.value !== SILENCE && next.value.type === "error" && isErrorReply(family, next.value.error)) {
      throw refuseFailure(failureOfAnswer(next.value.error));
    }
    isCertain = next.value === SILENCE || next.value.type !== "start";
  }
  const type = family.api.framing === "sse" ? "text/event-stream; charset=utf-8" : "application/x-ndjson";
  return {
    status: 200,
    headers: { "content-type": type, "cache-control": "no-cache", ...headers() },
    stream: frames(replying, buffered, source),
  };
}

function isErrorReply({ api }: Family, message: AssistantMessage): boolean {
  const { error } = api.response(message);
  return error !== undefined && error !== null;
}

async function* frames(
  { family, call: asked, gateway }: ReplyOptions,
  buffered: readonly (LiveAssistantMessageEvent | typeof SILENCE)[],
  rest: AsyncIterable<LiveAssistantMessageEvent | typeof SILENCE>,
): AsyncGenerator<string> {
  const writer = family.api.streamWriter();
  const name = nameFor(family, asked);
  let begun = false;
  const write = (event: LiveAssistantMessageEvent | typeof SILENCE): string => {
    if (event === SILENCE) return family.ping(asked.model, gateway.now());
    if (event.type === "start") begun = true;
    return writer
      .push(eventWithName(event, name))
      .map((payload) => frame(family, payload, asked))
      .join("");
  };
  try {
    for (const event of buffered) yield write(event);
    for await (const event of rest) {
      const text = write(event);
      if (text !== "") yield text;
    }
  } catch (error) {
    // The status is out: what is left to say it with is the API's own event.
    const message = failedAnswer(family, asked, gateway.now(), wordsOf(error, gateway));
    const start: LiveAssistantMessageEvent[] = begun ? [] : [{ type: "start", partial: message }];
    for (const event of [...start, { type: "error", reason: "error", error: message } as const]) {
      yield write(event);
    }
  }
}

function frame(family: Family, given: StreamPayload, { body }: ModelCall): string {
  const payload = family.adapt === undefined ? given : family.adapt(given, body);
  if (payload === undefined) return "";
  const { event, data } = payload;
  if (family.api.framing === "ndjson") return formatLine(data);
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return formatSse({ data: text, ...(event === undefined ? {} : { event }) });
}

interface Name {
  model: string;
  prefix: string;
  id: string;
}

function nameFor({ idPrefix = "" }: Family, { model }: ModelCall): Name {
  return { model, prefix: idPrefix, id: newId() };
}

/** Called as the client calls it, and with an id that no other answer has. */
function withName(message: AssistantMessage, { model, prefix, id }: Name): AssistantMessage {
  return { ...message, id: `${prefix}${message.id ?? id}`, model };
}

function eventWithName(event: LiveAssistantMessageEvent, name: Name): LiveAssistantMessageEvent {
  switch (event.type) {
    case "start":
      return { ...event, partial: withName(event.partial, name) };
    case "done":
      return { ...event, message: withName(event.message, name) };
    case "error":
      return { ...event, error: withName(event.error, name) };
    default:
      return event;
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
