import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../openai-chat.js";
import { bearerOf, type Received, type StrictApi } from "./api.js";
import { objectsIn, offered, resultText, type Situation, type Turn } from "./script.js";
import { seal } from "./seal.js";
import { strictSchemaRefusal } from "./strict-schema.js";

/** What a server with thinking models answers with, and wants back. */
const OWN_FIELDS = ["reasoning_content", "reasoning_details"];

function messagesOf({ messages }: JsonObject): JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function refusal({ body }: Received): string | undefined {
  const refused = validateRequest(body, OWN_FIELDS) ?? strictRefusal(body["tools"]);
  // A model that does not think wants no thinking back.
  const thinks = !String(body["model"]).startsWith("gpt-4o");
  return refused ?? (thinks ? thinkingRefusal(messagesOf(body)) : undefined);
}

function strictRefusal(tools: unknown): string | undefined {
  for (const tool of Array.isArray(tools) ? tools.filter(isObject) : []) {
    const { strict, name, parameters } = isObject(tool["function"]) ? tool["function"] : {};
    const refused = strict === true ? strictSchemaRefusal(String(name), parameters) : undefined;
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** A call is sent back with the thinking that led to it, as text or as signed details. */
function thinkingRefusal(messages: readonly JsonObject[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    if (!Array.isArray(message["tool_calls"])) continue;
    const { reasoning_content: thinking, reasoning_details: details } = message;
    if (typeof thinking !== "string" && details === undefined) {
      return `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`;
    }
    for (const detail of Array.isArray(details) ? details.filter(isObject) : []) {
      if (detail["signature"] !== seal(String(detail["text"]))) {
        return `Invalid signature in reasoning_details of the message at index ${index}`;
      }
    }
  }
  return undefined;
}

function situation({ body }: Received): Situation {
  const messages = messagesOf(body);
  return {
    calls: messages.flatMap(({ tool_calls: calls }) => objectsIn(calls)).length,
    results: messages.flatMap(({ role, content }) => (role === "tool" ? [resultText(content)] : [])),
    tools: objectsIn(body["tools"]).flatMap(({ function: fn }) =>
      isObject(fn) ? [offered(fn["name"], fn["parameters"])] : [],
    ),
  };
}

function messageOf({ number, thinking, calls, text }: Turn): JsonObject {
  const reasoning = {
    reasoning_content: thinking,
    reasoning_details: [
      { type: "reasoning.text", text: thinking, signature: seal(thinking), format: "unknown", index: 0 },
    ],
  };
  if (calls.length === 0) return { role: "assistant", content: text, ...reasoning };
  return {
    role: "assistant",
    content: null,
    ...reasoning,
    tool_calls: calls.map(({ name, arguments: args }, index) => ({
      id: `call_${number + index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
}

function finishOf({ calls }: Turn): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function head({ body: { model } }: Received, { number }: Turn, object: string): JsonObject {
  const id = `chatcmpl-${number}`;
  return { id, object, created: 1_700_000_000, model, service_tier: "default", system_fingerprint: "fp_1" };
}

function choicesIn({ body }: Received): number[] {
  return Array.from({ length: Number(body["n"] ?? 1) }, (_, index) => index);
}

/** The message of a choice, as deltas. */
function deltasOf(turn: Turn): JsonObject[] {
  const { content, tool_calls: calls, reasoning_content, reasoning_details } = messageOf(turn);
  return [
    { role: "assistant", content: calls === undefined ? "" : null, refusal: null },
    { reasoning_content, reasoning_details },
    ...(Array.isArray(calls) ? [{ tool_calls: calls.map((call, index) => ({ index, ...call })) }] : []),
    ...(typeof content === "string" ? [{ content: content.slice(0, 4) }, { content: content.slice(4) }] : []),
  ];
}

function stream(request: Received, turn: Turn): StreamPayload[] {
  const options = request.body["stream_options"];
  const reports = isObject(options) && options["include_usage"] === true;
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null = null): StreamPayload => ({
    data: { ...head(request, turn, "chat.completion.chunk"), choices, ...(reports ? { usage } : {}) },
  });
  const choices = choicesIn(request);
  return [
    ...deltasOf(turn).flatMap((delta) =>
      choices.map((index) => chunk([{ index, delta, logprobs: null, finish_reason: null }])),
    ),
    ...choices.map((index) => chunk([{ index, delta: {}, logprobs: null, finish_reason: finishOf(turn) }])),
    ...(reports ? [chunk([], USAGE)] : []),
    { data: "[DONE]" },
  ];
}

export const strictOpenaiChat: StrictApi = {
  model: "deepseek-v4",
  base: "/v1",
  framing: "sse",
  keyOf: bearerOf,
  streams: ({ body }) => body["stream"] === true,
  refusal,
  error: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  situation,
  whole: (request, turn) => ({
    ...head(request, turn, "chat.completion"),
    choices: choicesIn(request).map((index) => ({
      index,
      message: { ...messageOf(turn), refusal: null },
      logprobs: null,
      finish_reason: finishOf(turn),
    })),
    usage: USAGE,
  }),
  stream,
};
