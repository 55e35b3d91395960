import type { StreamPayload } from "../../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../openai-responses.js";
import { bearerOf, type Received, type StrictApi, TURNS } from "./api.js";
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

/** Reasoning is readable only as it was encrypted, calls stand behind the reasoning that led to them, outputs behind a call. */
function historyRefusal(items: readonly JsonObject[]): string | undefined {
  const calls = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const { type, id, call_id: callId } = item;
    const before = items[index - 1];
    switch (type) {
      case "reasoning":
        if (item["encrypted_content"] !== seal(String(id))) {
          return `The encrypted content for item ${String(id)} could not be verified.`;
        }
        break;
      case "function_call":
      case "custom_tool_call":
        calls.add(callId);
        if (before?.["type"] !== "reasoning" && before?.["type"] !== "web_search_call") {
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

function turnOf({ body }: Received): number {
  return itemsOf(body).filter(({ type }) => type === "reasoning").length;
}

function outputOf(request: Received): JsonObject[] {
  const turn = turnOf(request);
  const { tools } = request.body;
  const hasCustom = Array.isArray(tools) && tools.some((tool) => isObject(tool) && tool["type"] === "custom");
  const reasoning = {
    id: `rs_${turn}`,
    type: "reasoning",
    summary: [],
    encrypted_content: seal(`rs_${turn}`),
  };
  if (turn >= TURNS) {
    const part = { type: "output_text", text: `Done after ${TURNS} calls.`, annotations: [], logprobs: [] };
    const message = { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [part] };
    return [reasoning, message];
  }
  return [
    reasoning,
    ...(turn === 2
      ? [{ id: "ws_2", type: "web_search_call", status: "completed", action: { type: "search", query: "x" } }]
      : []),
    turn === 1 && hasCustom
      ? { id: "ctc_1", type: "custom_tool_call", call_id: "call_1", name: "note", input: "step 1\n" }
      : {
          id: `fc_${turn}`,
          type: "function_call",
          status: "completed",
          call_id: `call_${turn}`,
          name: "lookup",
          arguments: JSON.stringify({ step: turn }),
        },
  ];
}

function responseOf(request: Received, status: string, output: readonly JsonObject[]): JsonObject {
  const { model, instructions = null, metadata = {}, tools = [], temperature = 1, top_p = 1 } = request.body;
  return {
    id: `resp_${turnOf(request)}`,
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
  const { type, id: item_id, arguments: args, input, content } = item;
  switch (type) {
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

function stream(request: Received): StreamPayload[] {
  const output = outputOf(request);
  const begun = responseOf(request, "in_progress", []);
  const events: JsonObject[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: begunItem(item) },
      ...itemEvents(item).map((event) => ({ ...event, output_index })),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: responseOf(request, "completed", output) },
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
  whole: (request) => responseOf(request, "completed", outputOf(request)),
  stream,
};
