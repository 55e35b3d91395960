import type { Decoded, Dialect, Framing, JsonRecord, Limit, Sample } from "../dialect.js";
import { DragomanError } from "../error.js";
import { isObject, type JsonObject } from "../json/value.js";
import { type CallFrame, readFrame } from "../message/call-frame.js";
import { isSilent } from "../message/failure.js";
import { undated } from "../message/neutral.js";
import { priced } from "../message/usage.js";
import { headPrompt } from "../shown/system-prompt.js";
import type {
  AgentMessage,
  AssistantMessage,
  LiveAssistantMessageEvent,
  SessionMessage,
  SystemMessage,
} from "../types.js";
import type { Api, Call, Flags, Origin, StreamReader } from "./provider.js";

/** The dialect of an API, and the API itself. */
export interface ApiDialect extends Dialect {
  readonly api: Api;
}

/**
 * The dialect of an API's request bodies: a whole request is one record and one unit. Response bodies and recorded
 * streams can be read too, as conversations of answers. A single answer is written as a response.
 */
export function apiDialect(
  api: Api,
  {
    title,
    detect,
    limits,
    list = "messages",
    flags = {},
  }: {
    title: string;
    detect(document: unknown): number;
    limits: readonly Limit[];
    /** The request field that contains the messages. */
    list?: string;
    /** How requests are written. */
    flags?: Flags;
  },
): ApiDialect {
  return {
    api,
    name: api.dialect,
    title,
    kind: "provider",
    branches: false,
    limits: [...requestLimits, ...limits],
    framing: exchangeFraming(api, list),
    detect: (sample) => detectExchange(sample, detect),
    joins: () => true,
    joinsMessage: () => true,
    decode: (unit) => unit.flatMap((record, index) => decode(api, record, index)),
    encode: (unit) => (unit.length === 0 ? [] : [writeBody(api, flags, unit)]),
  };
}

/** Data that no request contains. */
const requestLimits: readonly Limit[] = [
  {
    at: "/content",
    role: "system",
    why: "the system prompt is one text, joined from the system messages at the head",
  },
  { at: "/timestamp", why: "a request does not state when a message was sent" },
  { at: "/id", why: "the messages of a request have no ids" },
  { at: "/parentId", why: "a request is one branch" },
  { at: "/details", role: "toolResult", why: "a result contains only what the model is shown" },
  ...["/api", "/provider", "/model", "/usage", "/stopReason", "/errorMessage"].map((at) => ({
    at,
    role: "assistant",
    why: "a request does not state which model gave an earlier answer, what it cost or how it ended",
  })),
];

function detectExchange({ document, lines, events }: Sample, detect: (document: unknown) => number): number {
  return document === undefined
    ? Math.max(0, ...(events ?? lines).slice(0, 3).map(detect))
    : detect(document);
}

/** The field of a recorded stream's record that contains its payloads. */
const PAYLOADS = "payloads";

function exchangeFraming(api: Api, list: string): Framing {
  return {
    kind: "document",
    split: (document) => {
      if (isObject(document)) return [document];
      if (Array.isArray(document) && document.length === 0) return [];
      const hint = `put the array into a request: {"model": "…", "${list}": […]}`;
      throw new DragomanError("model/invalid", `expected a request or a response of ${api.dialect}`, {
        at: "",
        hint: Array.isArray(document) ? hint : undefined,
      });
    },
    // An empty conversation is not a request.
    join: ([first]) => first ?? [],
    pointer: () => "",
    fold: (payloads) => ({ [PAYLOADS]: payloads }),
  };
}

function decode(api: Api, record: JsonRecord, index: number): Decoded[] {
  try {
    return messagesOf(api, record).map((message) => ({ message, record: index }));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { code, message, hint, at = "" } = error;
    throw new DragomanError(code, message, { at: `/${index}${at}`, hint, cause: error });
  }
}

function messagesOf(api: Api, record: JsonRecord): AgentMessage[] {
  const payloads = record[PAYLOADS];
  if (Array.isArray(payloads)) return answersOf(api, payloads).map(markUnattributed);
  try {
    return requestMessages(api, record);
  } catch (notRequest) {
    if (!(notRequest instanceof DragomanError)) throw notRequest;
    try {
      return [markUnattributed(api.readResponse(record, unknownOrigin))];
    } catch (notResponse) {
      if (!(notResponse instanceof DragomanError)) throw notResponse;
      throw notRequest;
    }
  }
}

/** The origin when only the answer is known. */
export const unknownOrigin: Origin = {
  provider: "",
  model: "",
  timestamp: 0,
  price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: false,
};

function markUnattributed(message: AssistantMessage): AssistantMessage {
  const synthesised = [
    ...(message.ext?.synthesised ?? []),
    ...(message.provider === "" ? ["/provider"] : []),
    ...(message.model === "" ? ["/model"] : []),
    ...(message.timestamp === 0 ? ["/timestamp"] : []),
  ];
  return { ...message, ext: { ...message.ext, synthesised } };
}

/** The answers of a recorded stream: a recording may contain several in sequence. */
function answersOf(api: Api, payloads: readonly unknown[]): AssistantMessage[] {
  const answers: AssistantMessage[] = [];
  const collect = (events: readonly LiveAssistantMessageEvent[]) => {
    for (const event of events) {
      if (event.type === "done") answers.push(event.message);
      if (event.type === "error") answers.push(event.error);
    }
  };
  let reader: StreamReader | undefined;
  for (const [index, payload] of payloads.entries()) {
    // Marks such as `[DONE]` may come between answers; they do not start one.
    if (reader === undefined && !isObject(payload)) continue;
    reader ??= api.streamReader(unknownOrigin);
    collect(pushPayload(reader, payload, `/${PAYLOADS}/${index}`));
    if (reader.ended) reader = undefined;
  }
  if (reader !== undefined) collect(reader.finish());
  return answers;
}

function pushPayload(reader: StreamReader, payload: unknown, at: string): LiveAssistantMessageEvent[] {
  try {
    return reader.push(payload);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError(error.code, error.message, { at, cause: error });
  }
}

/** A single answer of this API is written as a response; everything else as a request. */
function writeBody(api: Api, flags: Flags, unit: readonly AgentMessage[]): JsonObject {
  const [first, ...others] = unit;
  const isAlone = first?.role === "assistant" && others.length === 0;
  if (isAlone && first.api === api.api && isObject(first.ext?.[api.dialect])) {
    const response = api.response(first);
    if (hasAllBlocks(api, response, first)) return response;
  }
  const call = callOf(
    api,
    unit.filter((message) => !isSilent(message)),
  );
  // A request of this API is written back unchanged. Otherwise empty messages are left out, because APIs refuse them.
  if (frameOf(api, unit) !== undefined) return api.request(call, flags, () => undefined);
  const messages = call.context.messages.filter((message) => isRepresentable(api, flags, call, message));
  return api.request({ ...call, context: { ...call.context, messages } }, flags, () => undefined);
}

/** Whether a request can represent a message: text and calls always; other blocks if they survive a round trip. */
function isRepresentable(api: Api, flags: Flags, call: Call, message: AgentMessage): boolean {
  if (message.role !== "user" && message.role !== "assistant") return true;
  const { content } = message;
  if (typeof content === "string") return content !== "";
  if (content.some((block) => block.type === "toolCall" || (block.type === "text" && block.text !== ""))) {
    return true;
  }
  if (content.length === 0) return false;
  const body = api.request({ ...call, context: { messages: [message] } }, flags, () => undefined);
  return api.readRequest(body).context.messages.some((back) => "content" in back && isFilled(back.content));
}

function isFilled(content: unknown): boolean {
  return (typeof content === "string" || Array.isArray(content)) && content.length > 0;
}

/** Whether a response has all of the answer's blocks: one for a failed answer may contain only the error. */
function hasAllBlocks(api: Api, response: JsonObject, { content }: AssistantMessage): boolean {
  try {
    return api.readResponse(response, unknownOrigin).content.length === content.length;
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

function requestMessages(api: Api, body: JsonObject): AgentMessage[] {
  const { context, ...call } = api.readRequest(body);
  const frame: CallFrame = {
    model: call.model,
    stream: call.stream,
    options: call.options,
    ...(context.tools === undefined ? {} : { tools: context.tools }),
  };
  const session: SessionMessage = {
    role: "session",
    timestamp: 0,
    ext: { synthesised: ["/timestamp"], [api.dialect]: frame },
  };
  const { systemPrompt: content } = context;
  const prompt: AgentMessage[] = content === undefined ? [] : [{ role: "system", content, ...undated() }];
  return [session, ...prompt, ...context.messages];
}

function callOf(api: Api, unit: readonly AgentMessage[]): Call {
  const [first, ...others] = unit;
  const frame = frameOf(api, unit);
  const messages = first?.role === "session" ? others : unit;
  // In a request of this API the first message is the prompt, unless it has a note.
  const isOwnPrompt = (message: SystemMessage) =>
    message === others[0] && typeof message.content === "string" && message.ext?.[api.dialect] === undefined;
  const { prompt, rest } = frame === undefined ? headPrompt(messages) : headPrompt(messages, isOwnPrompt);
  return {
    model: frame?.model ?? modelOf(unit),
    stream: frame?.stream ?? false,
    // A conversion adds nothing, so it requests no caching.
    options: frame?.options ?? { cache: false },
    context: {
      messages: rest,
      ...(prompt === undefined ? {} : { systemPrompt: prompt }),
      ...(frame?.tools === undefined ? {} : { tools: frame.tools }),
    },
  };
}

/** The request's fields besides its messages, if the conversation was read from a request of this API. */
function frameOf(api: Api, [first]: readonly AgentMessage[]): CallFrame | undefined {
  return first?.role === "session" ? readFrame(first.ext?.[api.dialect]) : undefined;
}

function modelOf(unit: readonly AgentMessage[]): string {
  const answer = unit.findLast((message): message is AssistantMessage => message.role === "assistant");
  return answer?.model ?? "";
}
