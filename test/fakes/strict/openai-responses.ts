import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../openai-responses.js";
import { bearerOf, type Received, type StrictApi } from "./api.js";
import {
  type Call,
  type OfferedTool,
  objectsIn,
  offered,
  resultText,
  type Situation,
  type Turn,
} from "./script.js";
import { seal } from "./seal.js";
import { strictSchemaRefusal } from "./strict-schema.js";

function itemsOf({ input }: JsonObject): JsonObject[] {
  return Array.isArray(input) ? input.filter(isObject) : [];
}

function refusal({ body }: Received): string | undefined {
  return validateRequest(body) ?? strictRefusal(body["tools"]) ?? historyRefusal(itemsOf(body));
}

function strictRefusal(tools: unknown): string | undefined {
  for (const tool of Array.isArray(tools) ? tools.filter(isObject) : []) {
    if (tool["strict"] !== true) continue;
    const refused = strictSchemaRefusal(String(tool["name"]), tool["parameters"]);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/**
 * Reasoning is readable only as it was encrypted; a call with the id of an item follows the reasoning that led to it, beside
 * the other calls of its turn; an output follows its call.
 */
function historyRefusal(items: readonly JsonObject[]): string | undefined {
  const calls = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const { type, id, call_id: callId } = item;
    const before = items[index - 1];
    switch (type) {
      case "reasoning":
        if (!isEncrypted(item["encrypted_content"])) {
          return `The encrypted content for item ${String(id)} could not be verified.`;
        }
        break;
      case "function_call":
      case "custom_tool_call":
        calls.add(callId);
        if (OWN_ID.test(String(id)) && !LEADS_TO_CALL.has(before?.["type"])) {
          return `Item '${String(id)}' of type '${type}' was provided without its required 'reasoning' item.`;
        }
        break;
      case "function_call_output":
      case "custom_tool_call_output":
        if (!calls.has(callId))
          return `No tool call found for function call output with call_id ${String(callId)}.`;
        break;
    }
  }
  return undefined;
}

/** Ids of calls that this model made. */
const OWN_ID = /^(?:fc|ctc)_\d+$/;
const LEADS_TO_CALL = new Set<unknown>(["reasoning", "web_search_call", "function_call", "custom_tool_call"]);

/** Clients may leave out the id of an item, so that the encrypted content identifies itself. */
function encrypted(id: string): string {
  return `${id}.${seal(id)}`;
}

function isEncrypted(content: unknown): boolean {
  const [id = ""] = String(content).split(".");
  return content === encrypted(id);
}

function situation({ body }: Received): Situation {
  const items = itemsOf(body);
  const added = items.filter(({ type }) => type === "additional_tools");
  return {
    calls: items.filter(({ type }) => isCall(type)).length,
    results: items.flatMap(({ output }) => (output === undefined ? [] : [resultText(output)])),
    tools: [body, ...added].flatMap(({ tools }) => objectsIn(tools)).flatMap(offeredTools),
    ...requestedOutput(body),
  };
}

function requestedOutput({ text }: JsonObject): Pick<Situation, "output"> {
  const { schema } = isObject(text) && isObject(text["format"]) ? text["format"] : {};
  return isObject(schema) ? { output: schema } : {};
}

function isCall(type: unknown): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

function offeredTools({ type, name, parameters, tools }: JsonObject): OfferedTool[] {
  switch (type) {
    case "function":
      return [offered(name, parameters)];
    case "custom":
      return [{ name: String(name) }];
    case "namespace":
      return objectsIn(tools)
        .flatMap(offeredTools)
        .map((tool) => ({ ...tool, namespace: String(name) }));
    default:
      return [];
  }
}

function outputOf({ number, thinking, calls, text, extra }: Turn): JsonObject[] {
  const reasoning = {
    id: `rs_${number}`,
    type: "reasoning",
    summary: [{ type: "summary_text", text: thinking }],
    encrypted_content: encrypted(`rs_${number}`),
  };
  const search = {
    id: `ws_${number}`,
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: "x" },
  };
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [part],
  };
  return [
    reasoning,
    ...(extra === "server tool" ? [search] : []),
    ...(text === "" ? [] : [message]),
    ...calls.map((call, index) => callItem(call, number + index)),
  ];
}

function callItem({ name, namespace, arguments: args }: Call, number: number): JsonObject {
  const own = { call_id: `call_${number}`, name, ...(namespace === undefined ? {} : { namespace }) };
  if (typeof args === "string") {
    return { id: `ctc_${number}`, type: "custom_tool_call", status: "completed", ...own, input: args };
  }
  const item = { id: `fc_${number}`, type: "function_call", status: "completed", ...own };
  return { ...item, arguments: JSON.stringify(args) };
}

function responseOf(
  { body }: Received,
  { number }: Turn,
  status: string,
  output: readonly JsonObject[],
): JsonObject {
  const { model, instructions = null, metadata = {}, tools = [], temperature = 1, top_p = 1 } = body;
  return {
    id: `resp_${number}`,
    object: "response",
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions,
    metadata,
    model,
    parallel_tool_calls: true,
    temperature,
    tool_choice: "auto",
    tools,
    top_p,
    output,
    usage:
      status === "completed"
        ? {
            input_tokens: 10,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: 5,
            output_tokens_details: { reasoning_tokens: 2 },
            total_tokens: 15,
          }
        : null,
  };
}

/** The events between an item's beginning and its end. */
function itemEvents(item: JsonObject): JsonObject[] {
  const { type, id: item_id, arguments: args, input, content, summary } = item;
  switch (type) {
    case "reasoning":
      return objectsIn(summary).flatMap((part, summary_index) => {
        const place = { item_id, summary_index };
        const { text } = part;
        return [
          { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
          { type: "response.reasoning_summary_text.delta", ...place, delta: text },
          { type: "response.reasoning_summary_text.done", ...place, text },
          { type: "response.reasoning_summary_part.done", ...place, part },
        ];
      });
    case "function_call":
      return [
        { type: "response.function_call_arguments.delta", item_id, delta: args },
        { type: "response.function_call_arguments.done", item_id, arguments: args },
      ];
    case "custom_tool_call":
      return [
        { type: "response.custom_tool_call_input.delta", item_id, delta: input },
        { type: "response.custom_tool_call_input.done", item_id, input },
      ];
    case "web_search_call":
      return [{ type: "response.web_search_call.searching", item_id }];
    case "message": {
      const [part]: unknown[] = Array.isArray(content) ? content : [];
      const { text } = isObject(part) ? part : {};
      const place = { item_id, content_index: 0 };
      return [
        {
          type: "response.content_part.added",
          ...place,
          part: { ...(isObject(part) ? part : {}), text: "" },
        },
        { type: "response.output_text.delta", ...place, delta: text, logprobs: [] },
        { type: "response.output_text.done", ...place, text, logprobs: [] },
        { type: "response.content_part.done", ...place, part },
      ];
    }
    default:
      return [];
  }
}

function begunItem(item: JsonObject): JsonObject {
  switch (item["type"]) {
    case "reasoning":
      return { ...item, summary: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, input: "" };
    case "message":
      return { ...item, status: "in_progress", content: [] };
    default:
      return item;
  }
}

function stream(request: Received, turn: Turn): StreamPayload[] {
  const output = outputOf(turn);
  const begun = responseOf(request, turn, "in_progress", []);
  const events: JsonObject[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: begunItem(item) },
      ...itemEvents(item).map((event) => ({ ...event, output_index })),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: responseOf(request, turn, "completed", output) },
  ];
  return events.map((data, sequence_number) => ({
    event: String(data["type"]),
    data: { ...data, sequence_number },
  }));
}

export const strictOpenaiResponses: StrictApi = {
  model: "gpt-5.5",
  base: "/v1",
  framing: "sse",
  keyOf: bearerOf,
  streams: ({ body }) => body["stream"] === true,
  refusal,
  error: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  situation,
  whole: (request, turn) => responseOf(request, turn, "completed", outputOf(turn)),
  stream,
};
