import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamPayload } from "../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { formatSse } from "../../src/framing/sse-format.js";
import { openAiFormatRefusal } from "./output-rules.js";

const fields = new Set(
  (
    "background client_metadata context_management conversation include input instructions max_output_tokens max_tool_calls metadata " +
    "model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options " +
    "prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text " +
    "tool_choice tools top_logprobs top_p truncation user"
  ).split(" "),
);
const efforts = new Set(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const NAME = /^[a-zA-Z0-9_-]+$/;
const prefixes: Record<string, string> = { message: "msg", reasoning: "rs", function_call: "fc" };

class Refused extends Error {}

function refuse(message: string): never {
  throw new Refused(message);
}

/** What the real API would say is wrong with a request; undefined when it would answer. */
export function validateRequest(body: unknown): string | undefined {
  try {
    if (!isObject(body)) refuse("We could not parse the JSON body of your request.");
    checkBody(body);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

function checkBody(body: JsonObject): void {
  for (const key of Object.keys(body)) if (!fields.has(key)) refuse(`Unknown parameter: '${key}'.`);
  const { model, input, max_output_tokens: limit, reasoning, prompt, previous_response_id } = body;
  if (model === undefined && prompt === undefined) refuse("Missing required parameter: 'model'.");
  if (typeof limit === "number" && limit < 16) {
    refuse(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
    );
  }
  if (isObject(reasoning) && typeof reasoning["effort"] === "string" && !efforts.has(reasoning["effort"])) {
    refuse(`Invalid value: '${reasoning["effort"]}'. Supported values are: ${[...efforts].join(", ")}.`);
  }
  const format = isObject(body["text"]) ? body["text"]["format"] : undefined;
  const refused = openAiFormatRefusal(format, format, input, "input");
  if (refused !== undefined) refuse(refused);
  checkTools(body);
  const isEmpty = input === undefined || (Array.isArray(input) && input.length === 0);
  if (isEmpty && prompt === undefined && previous_response_id === undefined) {
    refuse('One of "input" or "previous_response_id" or "prompt" or "conversation_id" must be provided.');
  }
  if (Array.isArray(input)) checkItems(input, body["store"] === false);
}

function checkTools({ tools, tool_choice }: JsonObject): void {
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  for (const [index, tool] of list.entries()) {
    if (!isObject(tool) || typeof tool["type"] !== "string")
      refuse(`Missing required parameter: 'tools[${index}].type'.`);
    if (tool["type"] === "function") checkName(tool["name"], `tools[${index}].name`);
  }
  const { type, name } = isObject(tool_choice) ? tool_choice : {};
  if (type === "function" && !list.some((tool) => isObject(tool) && tool["name"] === name)) {
    refuse("Tool choice 'function' not found in 'tools' parameter.");
  }
}

function checkName(name: unknown, at: string): void {
  if (typeof name !== "string") refuse(`Missing required parameter: '${at}'.`);
  if (!NAME.test(name)) {
    refuse(
      `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
    );
  }
}

function checkItems(input: readonly unknown[], nothingStored: boolean): void {
  const items = input.map((item, index) => {
    if (!isObject(item)) refuse(`Invalid type for 'input[${index}]': expected an object.`);
    return item;
  });
  const ids = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    const type = typeof item["type"] === "string" ? item["type"] : "message";
    checkId(item["id"], type, at, ids);
    if (type === "message") checkMessage(item, at);
    if (type === "function_call" || type === "function_call_output") checkCallId(item["call_id"], at);
    if (type === "function_call") checkName(item["name"], `${at}.name`);
    if (type === "function_call" && typeof item["arguments"] !== "string") {
      refuse(`Missing required parameter: '${at}.arguments'.`);
    }
    if (type === "function_call_output") checkOutput(item["output"], at);
    if (type === "reasoning") checkReasoning(item, items[index + 1], at, nothingStored);
  }
  checkPairs(items);
}

function checkId(id: unknown, type: string, at: string, ids: Set<unknown>): void {
  if (id === undefined || id === null) return;
  const prefix = prefixes[type];
  if (prefix !== undefined && !String(id).startsWith(prefix)) {
    refuse(`Invalid '${at}.id': '${id}'. Expected an ID that begins with '${prefix}'.`);
  }
  if (String(id).length > 64) {
    refuse(`Invalid '${at}.id': string too long. Expected a string with maximum length 64.`);
  }
  if (ids.has(id)) {
    refuse(`Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`);
  }
  ids.add(id);
}

function checkCallId(id: unknown, at: string): void {
  if (typeof id !== "string") refuse(`Missing required parameter: '${at}.call_id'.`);
  if (id === "") {
    refuse(
      `Invalid '${at}.call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    );
  }
  if (id.length > 64) {
    refuse(
      `Invalid '${at}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`,
    );
  }
}

const inputParts = ["input_text", "input_image", "input_file"];
const outputParts = ["output_text", "refusal"];

function checkMessage({ role, content }: JsonObject, at: string): void {
  if (!["user", "assistant", "system", "developer"].some((known) => known === role)) {
    refuse(`Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`);
  }
  if (typeof content === "string") return;
  checkParts(content, role === "assistant" ? outputParts : inputParts, `${at}.content`);
}

function checkOutput(output: unknown, at: string): void {
  if (typeof output !== "string") checkParts(output, inputParts, `${at}.output`);
}

function checkParts(parts: unknown, types: readonly string[], at: string): void {
  if (!Array.isArray(parts)) refuse(`Missing required parameter: '${at}'.`);
  if (parts.length === 0) {
    refuse(
      `Invalid '${at}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    );
  }
  for (const [index, part] of parts.entries()) {
    const { type, text, image_url, file_id } = isObject(part) ? part : {};
    if (typeof type !== "string" || !types.includes(type)) {
      refuse(
        `Invalid value: '${type}'. Supported values are: ${types.map((known) => `'${known}'`).join(" and ")}.`,
      );
    }
    if (/_text$/.test(type) && typeof text !== "string") {
      refuse(`Missing required parameter: '${at}[${index}].text'.`);
    }
    if (
      type === "input_image" &&
      typeof file_id !== "string" &&
      !/^(https?:\/\/|data:image\/)/.test(String(image_url))
    ) {
      refuse(
        `Invalid '${at}[${index}].image_url'. Expected a valid URL, but got a value with an invalid format.`,
      );
    }
  }
}

function checkReasoning(
  item: JsonObject,
  next: JsonObject | undefined,
  at: string,
  nothingStored: boolean,
): void {
  const { id, summary, encrypted_content } = item;
  if (!Array.isArray(summary)) refuse(`Missing required parameter: '${at}.summary'.`);
  if (nothingStored && typeof encrypted_content !== "string") {
    refuse(`Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`);
  }
  const follows = next !== undefined && next["role"] !== "user" && next["type"] !== "function_call_output";
  if (!follows) refuse(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
}

function checkPairs(items: readonly JsonObject[]): void {
  const idsOf = (type: string) =>
    items.filter((item) => item["type"] === type).map((item) => item["call_id"]);
  const [calls, outputs] = [idsOf("function_call"), idsOf("function_call_output")];
  for (const id of calls) if (!outputs.includes(id)) refuse(`No tool output found for function call ${id}.`);
  for (const id of outputs) {
    if (!calls.includes(id)) refuse(`No tool call found for function call output with call_id ${id}.`);
  }
}

/** A server of this API on a port of its own: checks each request, and answers with the payloads or the body given. */
export async function serveResponses(
  answer: readonly StreamPayload[] | JsonObject,
  chunkSize = Number.POSITIVE_INFINITY,
): Promise<{ baseURL: string; requests: unknown[]; close(): Promise<void> }> {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    requests.push(body);
    const message = request.url === "/v1/responses" ? validateRequest(body) : "Not found";
    if (message !== undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }),
      );
      return;
    }
    const isStream = Array.isArray(answer);
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    const text = isStream ? answer.map(sseOf).join("") : JSON.stringify(answer);
    for (const piece of pieces(Buffer.from(text), chunkSize)) {
      await new Promise((written) => response.write(piece, written));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { baseURL: `http://127.0.0.1:${portOf(server)}/v1`, requests, close: () => stop(server) };
}

function sseOf({ event, data }: StreamPayload): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return formatSse({ data: text, ...(event === undefined ? {} : { event }) });
}

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, Math.min(bytes.length, at + size));
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) =>
    server.close((error) => (error === undefined ? resolve() : reject(error))),
  );
}
