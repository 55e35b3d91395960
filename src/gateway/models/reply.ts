import type { StreamPayload } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { formatSse } from "../../framing/sse-format.js";
import { type Gateway, type HttpReply, RefusedError } from "../types.js";
import { failureOfAnswer, failureOfError, refused, refusing } from "./failure.js";
import type { Asked, Family } from "./family.js";
import { SILENCE, withSilences } from "./silences.js";

/** An answer that is on its way. */
export interface Answering {
  events: AsyncIterable<LiveAssistantMessageEvent>;
  /** Known as soon as there is an event. */
  headers(): Readonly<Record<string, string>>;
  /** A failed request was stored, so that sending it again would store it twice. */
  isStored: boolean;
}

export interface Replying {
  gateway: Pick<Gateway, "notes" | "now">;
  family: Family;
  asked: Asked;
  /** How long a stream may be silent before the client is shown that it lives. */
  silenceMs: number;
}

/** The answer in the client's API, whole or as a stream; what fails before it has begun is refused with a status. */
export async function reply(replying: Replying, answering: Answering): Promise<HttpReply> {
  try {
    return await (replying.asked.stream ? streamed(replying, answering) : whole(replying, answering));
  } catch (error) {
    throw refused(error, headersOfFailure(answering));
  }
}

function headersOfFailure({ headers, isStored }: Answering): Record<string, string> {
  return { ...headers(), ...(isStored ? { "x-should-retry": "false" } : {}) };
}

async function whole({ family, asked }: Replying, { events, headers }: Answering): Promise<HttpReply> {
  const name = nameFor(family, asked);
  for await (const event of events) {
    if (event.type !== "done" && event.type !== "error") continue;
    const message = named(event.type === "done" ? event.message : event.error, name);
    const body = family.api.response(message);
    // Some failures are answers to an API, such as one that its provider refused.
    if (body["error"] !== undefined && body["error"] !== null) throw refusing(failureOfAnswer(message));
    return { status: 200, headers: headers(), json: body };
  }
  throw new DragomanError("provider/bad-response", "the model gave no answer");
}

async function streamed(replying: Replying, { events, headers }: Answering): Promise<HttpReply> {
  const { family, silenceMs } = replying;
  const source = withSilences(events, silenceMs);
  const held: (LiveAssistantMessageEvent | typeof SILENCE)[] = [];
  // The status is told when it is certain that there is something to say, or when it has been silent for too long.
  for (let isCertain = false; !isCertain; ) {
    const next = await source.next();
    if (next.done === true) throw new DragomanError("provider/bad-response", "the model gave no answer");
    held.push(next.value);
    if (next.value !== SILENCE && next.value.type === "error" && isUnsayable(family, next.value.error)) {
      throw refusing(failureOfAnswer(next.value.error));
    }
    isCertain = next.value === SILENCE || next.value.type !== "start";
  }
  const type = family.api.framing === "sse" ? "text/event-stream; charset=utf-8" : "application/x-ndjson";
  return {
    status: 200,
    headers: { "content-type": type, "cache-control": "no-cache", ...headers() },
    stream: frames(replying, held, source),
  };
}

function isUnsayable({ api }: Family, message: AssistantMessage): boolean {
  const { error } = api.response(message);
  return error !== undefined && error !== null;
}

async function* frames(
  { family, asked, gateway }: Replying,
  held: readonly (LiveAssistantMessageEvent | typeof SILENCE)[],
  rest: AsyncIterable<LiveAssistantMessageEvent | typeof SILENCE>,
): AsyncGenerator<string> {
  const writer = family.api.streamWriter();
  const name = nameFor(family, asked);
  let begun = false;
  const write = (event: LiveAssistantMessageEvent | typeof SILENCE): string => {
    if (event === SILENCE) return family.ping(asked.model, gateway.now());
    if (event.type === "start") begun = true;
    return writer
      .push(namedEvent(event, name))
      .map((payload) => frame(family, payload, asked))
      .join("");
  };
  try {
    for (const event of held) yield write(event);
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

function frame(family: Family, given: StreamPayload, { body }: Asked): string {
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

function nameFor({ idPrefix = "" }: Family, { model }: Asked): Name {
  return { model, prefix: idPrefix, id: newId() };
}

/** Called as the client calls it, and with an id that no other answer has. */
function named(message: AssistantMessage, { model, prefix, id }: Name): AssistantMessage {
  return { ...message, id: `${prefix}${message.id ?? id}`, model };
}

function namedEvent(event: LiveAssistantMessageEvent, name: Name): LiveAssistantMessageEvent {
  switch (event.type) {
    case "start":
      return { ...event, partial: named(event.partial, name) };
    case "done":
      return { ...event, message: named(event.message, name) };
    case "error":
      return { ...event, error: named(event.error, name) };
    default:
      return event;
  }
}

function failedAnswer(
  { api }: Family,
  { model }: Asked,
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
function wordsOf(error: unknown, { notes }: Pick<Gateway, "notes">): string {
  if (error instanceof RefusedError) return error.message;
  if (error instanceof DragomanError) return refusing(failureOfError(error)).message;
  notes.error({ err: error }, "a stream of an answer failed");
  return "the gateway failed";
}
