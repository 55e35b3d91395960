import type { Decoded, Dialect, Framing, JsonRecord, Limit, Sample } from "./dialect.js";
import { DragomanError } from "./error.js";
import { isObject, type JsonObject } from "./json/value.js";
import type { Api, Call, CallOptions, Flags, ToolSpec } from "./provider.js";
import type { AgentMessage, AssistantMessage, SessionMessage } from "./types.js";

/** What a request says beside its messages, kept on the `session` message under the name of the API. */
interface Frame {
  model: string;
  stream: boolean;
  options: CallOptions;
  tools?: readonly ToolSpec[];
}

/**
 * The dialect of an API's request bodies: a whole request is one record and one unit. Response bodies and recorded
 * streams can be read too; they become a conversation of one answer.
 */
export function apiDialect(
  api: Api,
  { title, detect, limits }: { title: string; detect(document: unknown): number; limits: readonly Limit[] },
): Dialect {
  return {
    name: api.name,
    title,
    kind: "provider",
    branches: false,
    limits,
    framing: exchangeFraming(api),
    detect: (sample) => detectExchange(sample, detect),
    joins: () => true,
    joinsMessage: () => true,
    decode: (unit) => unit.flatMap((record, index) => decode(api, record, index)),
    encode: (unit) => (unit.length === 0 ? [] : [api.request(callOf(api, unit), flags, () => undefined)]),
  };
}

const flags: Flags = {};

function detectExchange({ document, lines }: Sample, detect: (document: unknown) => number): number {
  return document === undefined ? Math.max(0, ...lines.slice(0, 3).map(detect)) : detect(document);
}

function exchangeFraming(api: Api): Framing {
  return {
    kind: "document",
    split: (document) => {
      if (isObject(document)) return [document];
      if (Array.isArray(document) && document.length === 0) return [];
      throw new DragomanError("model/invalid", `expected a request or a response of ${api.name}`, { at: "" });
    },
    // A conversation of nothing is no request.
    join: ([first]) => first ?? [],
    pointer: () => "",
  };
}

function decode(api: Api, record: JsonRecord, index: number): Decoded[] {
  try {
    return messagesOf(api, record).map((message) => ({ message, record: index }));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { code, message, hint } = error;
    throw new DragomanError(code, message, {
      at: `/${index}${error.at ?? ""}`,
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}

function messagesOf(api: Api, body: JsonObject): AgentMessage[] {
  const { context, ...call } = api.readRequest(body);
  const frame: Frame = {
    model: call.model,
    stream: call.stream,
    options: call.options,
    ...(context.tools === undefined ? {} : { tools: context.tools }),
  };
  const session: SessionMessage = {
    role: "session",
    timestamp: 0,
    ext: { synthesised: ["/timestamp"], [api.name]: frame },
  };
  const prompt: AgentMessage[] =
    context.systemPrompt === undefined
      ? []
      : [
          {
            role: "system",
            content: context.systemPrompt,
            timestamp: 0,
            ext: { synthesised: ["/timestamp"] },
          },
        ];
  return [session, ...prompt, ...context.messages];
}

function callOf(api: Api, unit: readonly AgentMessage[]): Call {
  const [first, ...others] = unit;
  const frame = first?.role === "session" ? readFrame(first.ext?.[api.name]) : undefined;
  const rest = first?.role === "session" ? others : unit;
  const [prompt, ...answers] = rest;
  const hasPrompt = prompt?.role === "system" && typeof prompt.content === "string";
  return {
    model: frame?.model ?? modelOf(unit),
    stream: frame?.stream ?? false,
    options: frame?.options ?? {},
    context: {
      messages: hasPrompt ? answers : rest,
      ...(hasPrompt && typeof prompt.content === "string" ? { systemPrompt: prompt.content } : {}),
      ...(frame?.tools === undefined ? {} : { tools: frame.tools }),
    },
  };
}

function modelOf(unit: readonly AgentMessage[]): string {
  const answer = unit.findLast((message): message is AssistantMessage => message.role === "assistant");
  return answer?.model ?? "";
}

function readFrame(value: unknown): Frame | undefined {
  if (!isObject(value) || typeof value["model"] !== "string" || typeof value["stream"] !== "boolean")
    return undefined;
  const { options, tools } = value;
  return {
    model: value["model"],
    stream: value["stream"],
    options: isObject(options) ? options : {},
    ...(Array.isArray(tools) ? { tools: tools.filter(isTool) } : {}),
  };
}

function isTool(value: unknown): value is ToolSpec {
  return isObject(value) && typeof value["name"] === "string" && isObject(value["parameters"]);
}
