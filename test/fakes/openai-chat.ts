import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamPayload } from "../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { formatSse } from "../../src/framing/sse-format.js";
import { openAiFormatRefusal } from "./output-rules.js";

const FIELDS = new Set(
  `model messages stream stream_options tools tool_choice max_tokens max_completion_tokens temperature top_p n stop seed user
  reasoning_effort response_format parallel_tool_calls store metadata modalities audio logprobs top_logprobs logit_bias
  frequency_penalty presence_penalty prediction service_tier prompt_cache_key safety_identifier verbosity web_search_options
  functions function_call`.split(/\s+/),
);

const MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  assistant: ["role", "content", "name", "refusal", "audio", "tool_calls", "function_call", "annotations"],
  tool: ["role", "content", "tool_call_id"],
};

const PARTS: Readonly<Record<string, readonly string[]>> = {
  system: ["text"],
  developer: ["text"],
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
  tool: ["text"],
};

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * What the real API says to a request it refuses; undefined for one it takes. `ownFields` are fields of an answer that a
 * compatible server takes back, such as `reasoning_content`.
 */
export function validateRequest(body: unknown, ownFields: readonly string[] = []): string | undefined {
  if (!isObject(body)) return "We could not parse the JSON body of your request.";
  return first([
    ...topComplaints(body),
    ...toolComplaints(body["tools"]),
    ...messageComplaints(body["messages"], ownFields),
  ]);
}

function first(complaints: Iterable<string>): string | undefined {
  for (const complaint of complaints) return complaint;
  return undefined;
}

function* topComplaints(body: JsonObject): Generator<string> {
  const {
    model,
    stream,
    stream_options,
    max_tokens,
    max_completion_tokens,
    temperature,
    tool_choice,
    tools,
  } = body;
  for (const field of Object.keys(body)) {
    if (!FIELDS.has(field)) yield `Unrecognized request argument supplied: ${field}`;
  }
  const { response_format: format } = body;
  const named = isObject(format) ? format["json_schema"] : undefined;
  const refused = openAiFormatRefusal(format, named, body["messages"], "messages");
  if (refused !== undefined) yield refused;
  if (typeof model !== "string" || model === "") yield "you must provide a model parameter";
  if (stream_options !== undefined && stream !== true) {
    yield "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  }
  if (max_tokens !== undefined && max_completion_tokens !== undefined) {
    yield "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
  }
  for (const limit of [max_tokens, max_completion_tokens]) {
    if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1)) yield "Invalid 'max_tokens'";
  }
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 2)) {
    yield "Invalid 'temperature'";
  }
  if (body["reasoning_effort"] !== undefined && !EFFORTS.includes(String(body["reasoning_effort"]))) {
    yield `Invalid value: '${String(body["reasoning_effort"])}'`;
  }
  if (tool_choice !== undefined && tools === undefined) {
    yield "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.";
  }
}

const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

function* toolComplaints(tools: unknown): Generator<string> {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) yield "Invalid type for 'tools': expected an array of objects.";
  else if (tools.length > 128) yield "Invalid 'tools': array too long.";
  else {
    for (const [index, tool] of tools.entries()) {
      const defined = isObject(tool) && tool["type"] === "function" ? tool["function"] : undefined;
      if (!isObject(defined)) yield `Missing required parameter: 'tools[${index}].function'.`;
      else if (!FUNCTION_NAME.test(String(defined["name"]))) yield `Invalid 'tools[${index}].function.name'`;
      else if (defined["parameters"] !== undefined && !isObject(defined["parameters"])) {
        yield `Invalid type for 'tools[${index}].function.parameters'`;
      }
    }
  }
}

function* messageComplaints(messages: unknown, ownFields: readonly string[]): Generator<string> {
  if (!Array.isArray(messages) || messages.length === 0) {
    yield "Invalid 'messages': empty array. Expected an array with minimum length 1.";
    return;
  }
  let waiting: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!isObject(message)) {
      yield `Invalid type for '${at}': expected an object.`;
      return;
    }
    yield* shapeComplaints(message, at, ownFields);
    if (message["role"] === "tool") {
      const id = String(message["tool_call_id"]);
      if (!waiting.includes(id)) {
        yield `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (${id})`;
      }
      waiting = waiting.filter((other) => other !== id);
    } else {
      yield* unanswered(waiting);
      waiting = callsOf(message).map((call) => String(call["id"]));
      if (new Set(waiting).size < waiting.length) yield `Duplicate tool call ids in '${at}'`;
    }
  }
  yield* unanswered(waiting);
}

function* unanswered(waiting: readonly string[]): Generator<string> {
  if (waiting.length === 0) return;
  yield "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${waiting.join(", ")}`;
}

function* shapeComplaints(message: JsonObject, at: string, ownFields: readonly string[]): Generator<string> {
  const { role, name, tool_call_id } = message;
  const fields = MESSAGE_FIELDS[String(role)];
  if (fields === undefined) {
    yield `Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'.`;
    return;
  }
  const own = role === "assistant" ? ownFields : [];
  for (const field of Object.keys(message)) {
    if (![...fields, ...own].includes(field)) yield `Unknown parameter: '${at}.${field}'.`;
  }
  if (name !== undefined && !/^[^\s<|\\/>]{1,64}$/.test(String(name))) yield `Invalid '${at}.name'`;
  if (role === "tool" && typeof tool_call_id !== "string") yield `Missing parameter 'tool_call_id': ${at}`;
  yield* callComplaints(message, at);
  yield* contentComplaints(message, String(role), at);
}

function callsOf({ tool_calls }: JsonObject): JsonObject[] {
  return Array.isArray(tool_calls) ? tool_calls.filter(isObject) : [];
}

function* callComplaints(message: JsonObject, at: string): Generator<string> {
  const { tool_calls } = message;
  if (tool_calls === undefined) return;
  if (!Array.isArray(tool_calls) || tool_calls.length === 0) {
    yield `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1.`;
  }
  for (const [index, call] of callsOf(message).entries()) {
    const { id, type, function: called } = call;
    const place = `${at}.tool_calls[${index}]`;
    if (typeof id !== "string" || id === "") yield `Invalid '${place}.id': empty string.`;
    else if (id.length > 40)
      yield `Invalid '${place}.id': string too long. Expected a string with maximum length 40.`;
    if (type !== "function" || !isObject(called)) yield `Missing required parameter: '${place}.function'.`;
    else if (!FUNCTION_NAME.test(String(called["name"]))) yield `Invalid '${place}.function.name'`;
    else if (typeof called["arguments"] !== "string") yield `Invalid type for '${place}.function.arguments'`;
  }
}

function* contentComplaints(message: JsonObject, role: string, at: string): Generator<string> {
  const { content } = message;
  if (content === null || content === undefined) {
    const excused =
      role === "assistant" && (callsOf(message).length > 0 || typeof message["refusal"] === "string");
    if (!excused) yield `Invalid value for 'content': expected a string, got null. (${at})`;
    return;
  }
  if (typeof content === "string") return;
  if (!Array.isArray(content) || content.length === 0) {
    yield `Invalid type for '${at}.content': expected a string or an array of objects.`;
    return;
  }
  for (const [index, part] of content.entries()) {
    const place = `${at}.content[${index}]`;
    const type = isObject(part) ? String(part["type"]) : "";
    if (!isObject(part) || !(PARTS[role] ?? []).includes(type)) {
      yield `Invalid value: '${type}' at ${place}. Supported values are: ${(PARTS[role] ?? []).join(", ")}.`;
    } else yield* partComplaints(part, type, place);
  }
}

const DATA_URL = /^data:[a-z]+\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+=*$/;

function* partComplaints(part: JsonObject, type: string, place: string): Generator<string> {
  const inner = part[type];
  if (type === "text" || type === "refusal") {
    if (typeof inner !== "string") yield `Missing required parameter: '${place}.${type}'.`;
    return;
  }
  if (!isObject(inner)) {
    yield `Missing required parameter: '${place}.${type}'.`;
    return;
  }
  const { url, data, format, file_data, file_id } = inner;
  if (type === "image_url" && !/^https?:\/\//.test(String(url)) && !DATA_URL.test(String(url))) {
    yield `Invalid '${place}.image_url.url'. Expected a valid URL or a base64 data URL.`;
  }
  if (type === "input_audio" && (typeof data !== "string" || !["wav", "mp3"].includes(String(format)))) {
    yield `Invalid '${place}.input_audio'. Supported formats are: wav, mp3.`;
  }
  if (type === "file" && typeof file_id !== "string" && !DATA_URL.test(String(file_data))) {
    yield `Invalid '${place}.file.file_data'. Expected a base64 data URL.`;
  }
}

export interface FakeAnswer {
  /** A stream when it is a list, a whole answer otherwise. */
  payloads?: readonly StreamPayload[];
  body?: JsonObject;
  /** How many bytes are sent at once. */
  chunkSize?: number;
  ownFields?: readonly string[];
}

/** A server that refuses what the real one refuses, and else answers as it is told. */
export async function fakeOpenAiChat(
  answer: (request: JsonObject) => FakeAnswer,
): Promise<{ baseUrl: string; requests: JsonObject[]; close(): Promise<void> }> {
  const requests: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const asked = isObject(body) ? body : {};
    const given = answer(asked);
    requests.push(asked);
    const refusal = validateRequest(body, given.ownFields);
    if (refusal === undefined) send(response, given);
    else {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          error: { message: refusal, type: "invalid_request_error", param: null, code: null },
        }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { baseUrl: `http://127.0.0.1:${portOf(server)}/v1`, requests, close: () => close(server) };
}

function send(response: ServerResponse, { payloads, body, chunkSize = 65_536 }: FakeAnswer): void {
  if (payloads === undefined) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
    return;
  }
  const text = payloads
    .map(({ data }) => formatSse({ data: typeof data === "string" ? data : JSON.stringify(data) }))
    .join("");
  const bytes = Buffer.from(text);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < bytes.length; at += chunkSize) response.write(bytes.subarray(at, at + chunkSize));
  response.end();
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return address.port;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
