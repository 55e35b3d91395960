import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isObject, type JsonObject } from "../../src/core/json/value.js";

const roles = new Set(["system", "user", "assistant", "tool"]);
const levels = new Set(["low", "medium", "high"]);

/** What the server would say to a request that it refuses; undefined for one that it takes. Unknown fields are ignored. */
export function validateRequest(body: unknown): string | undefined {
  if (!isObject(body)) return "invalid request: expected an object";
  const { model, messages, stream, keep_alive: keepAlive, tools } = body;
  if (typeof model !== "string") return wrongType("model", "string");
  if (model === "") return "model is required";
  if (stream !== undefined && typeof stream !== "boolean") return wrongType("stream", "bool");
  if (!["undefined", "number", "string"].includes(typeof keepAlive))
    return wrongType("keep_alive", "Duration");
  return (
    first(messages, "messages", validateMessage) ??
    first(tools, "tools", validateTool) ??
    validateThink(body["think"], model) ??
    validateFormat(body["format"]) ??
    validateOptions(body["options"])
  );
}

/** The same for `POST /api/generate`. */
export function validateGenerate(body: unknown): string | undefined {
  if (!isObject(body)) return "invalid request: expected an object";
  const { prompt, suffix, system, template, context, raw, images, messages: _, ...rest } = body;
  for (const [key, value] of Object.entries({ prompt, suffix, system, template })) {
    if (value !== undefined && value !== null && typeof value !== "string") return wrongType(key, "string");
  }
  if (images !== undefined && (!Array.isArray(images) || !images.every(isBase64))) {
    return wrongType("images", "[]ImageData");
  }
  if (context !== undefined && (!Array.isArray(context) || !context.every(Number.isInteger))) {
    return wrongType("context", "[]int");
  }
  if (raw !== undefined && typeof raw !== "boolean") return wrongType("raw", "bool");
  if (raw === true && [template, system, context].some((value) => value !== undefined && value !== "")) {
    return "raw mode does not support template, system, or context";
  }
  return validateRequest(rest);
}

function validateMessage(message: JsonObject): string | undefined {
  const { role, content, thinking, images, tool_calls: calls, tool_name: name, tool_call_id: id } = message;
  if (typeof role !== "string" || !roles.has(role.toLowerCase())) return `invalid role: ${String(role)}`;
  for (const [key, value] of Object.entries({ content, thinking, tool_name: name, tool_call_id: id })) {
    if (value !== undefined && value !== null && typeof value !== "string")
      return wrongType(`messages.${key}`, "string");
  }
  if (images !== undefined && images !== null) {
    if (!Array.isArray(images)) return wrongType("messages.images", "[]ImageData");
    if (!images.every(isBase64)) return "illegal base64 data in messages.images";
  }
  return first(calls, "messages.tool_calls", validateCall);
}

function validateCall({ id, function: fn }: JsonObject): string | undefined {
  if (id !== undefined && typeof id !== "string") return wrongType("messages.tool_calls.id", "string");
  if (!isObject(fn)) return wrongType("messages.tool_calls.function", "ToolCallFunction");
  if (typeof fn["name"] !== "string") return wrongType("messages.tool_calls.function.name", "string");
  if (isObject(fn["arguments"])) return undefined;
  return wrongType("messages.tool_calls.function.arguments", "map");
}

function validateTool({ type, function: fn }: JsonObject): string | undefined {
  if (type !== "function") return `unsupported tool type: ${String(type)}`;
  if (!isObject(fn) || typeof fn["name"] !== "string" || fn["name"] === "") return "a tool needs a name";
  return isObject(fn["parameters"]) ? undefined : wrongType("tools.function.parameters", "object");
}

function validateThink(think: unknown, model: string): string | undefined {
  if (think === undefined || think === null || typeof think === "boolean") return undefined;
  if (typeof think !== "string" || !levels.has(think)) return `invalid think value: ${JSON.stringify(think)}`;
  return model.startsWith("gpt-oss") ? undefined : `think value "${think}" is not supported for this model`;
}

function validateFormat(format: unknown): string | undefined {
  if (format === undefined || format === null || format === "" || format === "json" || isObject(format))
    return undefined;
  return `invalid format: ${JSON.stringify(format)}; expected "json" or a JSON schema`;
}

function validateOptions(options: unknown): string | undefined {
  if (options === undefined || options === null) return undefined;
  if (!isObject(options)) return wrongType("options", "map");
  const { num_predict: predict, num_ctx: context, temperature } = options;
  if (predict !== undefined && !Number.isInteger(predict))
    return 'option "num_predict" must be of type integer';
  if (context !== undefined && !Number.isInteger(context)) return 'option "num_ctx" must be of type integer';
  if (temperature === undefined || typeof temperature === "number") return undefined;
  return 'option "temperature" must be of type float32';
}

function first(
  list: unknown,
  name: string,
  validate: (item: JsonObject) => string | undefined,
): string | undefined {
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) return wrongType(name, "list");
  for (const item of list) {
    const refusal = isObject(item) ? validate(item) : wrongType(name, "object");
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isBase64(value: unknown): boolean {
  return typeof value === "string" && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

function wrongType(field: string, type: string): string {
  return `json: cannot unmarshal ${field}: expected ${type}`;
}

const validators = new Map([
  ["/api/chat", validateRequest],
  ["/api/generate", validateGenerate],
]);

/**
 * Answers `POST /api/chat` and `POST /api/generate` with these lines, in pieces of so many bytes; a request that does not
 * want a stream gets the first of them alone. What it was asked is pushed to `seen`.
 */
export function ollamaServer(
  lines: readonly unknown[],
  { chunkSize, seen = [] }: { chunkSize: number; seen?: unknown[] },
): RequestListener {
  return async (request, response) => {
    const body: unknown = JSON.parse(await textOf(request));
    seen.push(body);
    const validate = validators.get(request.url ?? "") ?? (() => "404 page not found");
    const refusal = validate(body);
    if (refusal !== undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: refusal }));
      return;
    }
    const streams = !isObject(body) || body["stream"] !== false;
    response.writeHead(200, { "content-type": streams ? "application/x-ndjson" : "application/json" });
    const text = streams
      ? lines.map((line) => `${JSON.stringify(line)}\n`).join("")
      : JSON.stringify(lines[0]);
    await writeInPieces(response, Buffer.from(text), chunkSize);
    response.end();
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** Each piece is on its way before the next is written. */
async function writeInPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((written) => response.write(bytes.subarray(at, at + size), written));
  }
}
