import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamPayload } from "../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { formatSse } from "../../src/framing/sse-format.js";
import { checkBlock } from "./anthropic-blocks.js";
import { claudeSchemaRefusal } from "./output-rules.js";
import { list, Refusal, refuseIf } from "./refusal.js";

const FIELDS = new Set(
  "model max_tokens messages system stream temperature thinking tools tool_choice top_k top_p stop_sequences metadata service_tier container output_config".split(
    " ",
  ),
);

/** What the real API says to a request it refuses; undefined for one it takes. */
export function validateRequest(body: unknown): string | undefined {
  try {
    if (!isObject(body)) throw new Refusal("Input should be a valid dictionary");
    checkTop(body);
    checkThinking(body);
    checkOutput(body);
    checkTools(body);
    checkMessages(list(body["messages"], "messages"));
    checkMarks(body);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function checkTop(body: JsonObject): void {
  for (const field of ["model", "max_tokens", "messages"]) {
    refuseIf(body[field] === undefined, `${field}: Field required`);
  }
  for (const field of Object.keys(body)) {
    refuseIf(!FIELDS.has(field), `${field}: Extra inputs are not permitted`);
  }
  const { max_tokens: limit, system } = body;
  refuseIf(
    !Number.isInteger(limit) || Number(limit) < 1,
    "max_tokens: Input should be greater than or equal to 1",
  );
  if (system === undefined || typeof system === "string") return;
  for (const [index, block] of list(system, "system").entries()) {
    refuseIf(block["type"] !== "text", `system.${index}: Input tag should be 'text'`);
    refuseIf(block["text"] === "", "system: text content blocks must be non-empty");
  }
}

function checkThinking(body: JsonObject): void {
  const { model, thinking, max_tokens: limit, temperature, tool_choice: choice } = body;
  const isNew = /^claude-(?:opus-4-[78]|sonnet-5|fable-5)/.test(String(model));
  refuseIf(isNew && temperature !== undefined, "`temperature` is deprecated for this model.");
  if (!isObject(thinking) || thinking["type"] !== "enabled") return;
  refuseIf(isNew, '"thinking.type.enabled" is not supported for this model.');
  const budget = Number(thinking["budget_tokens"]);
  refuseIf(
    !(budget >= 1024),
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  );
  refuseIf(Number(limit) <= budget, "`max_tokens` must be greater than `thinking.budget_tokens`");
  refuseIf(
    temperature !== undefined && temperature !== 1,
    "`temperature` may only be set to 1 when thinking is enabled",
  );
  const forced = isObject(choice) && (choice["type"] === "any" || choice["type"] === "tool");
  refuseIf(forced, "Thinking may not be enabled when tool_choice forces tool use.");
}

function checkOutput({ output_config: config }: JsonObject): void {
  const format = isObject(config) ? config["format"] : undefined;
  if (!isObject(format)) return;
  refuseIf(format["type"] !== "json_schema", "output_config.format.type: Input tag should be 'json_schema'");
  const refusal = claudeSchemaRefusal(format["schema"]);
  if (refusal !== undefined) throw new Refusal(refusal);
}

function checkTools({ tools, tool_choice: choice }: JsonObject): void {
  const all = tools === undefined ? [] : list(tools, "tools");
  refuseIf(
    choice !== undefined && all.length === 0,
    "tool_choice may only be specified while providing tools",
  );
  const names = new Set<unknown>();
  for (const [index, { name, input_schema: schema }] of all.entries()) {
    refuseIf(
      !/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)),
      `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    );
    refuseIf(names.has(name), "tools: Tool names must be unique.");
    names.add(name);
    refuseIf(
      !isObject(schema) || schema["type"] !== "object",
      `tools.${index}.custom.input_schema.type: Field required`,
    );
  }
}

interface Turn {
  role: unknown;
  index: number;
  blocks: JsonObject[];
}

function checkMessages(messages: readonly JsonObject[]): void {
  refuseIf(messages.length === 0, "messages: at least one message is required");
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    const turn = turnOf(message, index, index === messages.length - 1);
    const last = turns.at(-1);
    // The API puts neighbours of one role together.
    if (last !== undefined && last.role === turn.role) last.blocks.push(...turn.blocks);
    else turns.push(turn);
  }
  checkPairs(turns);
}

function turnOf({ role, content, ...rest }: JsonObject, index: number, isLast: boolean): Turn {
  const at = `messages.${index}`;
  refuseIf(role !== "user" && role !== "assistant", `messages: Unexpected role "${role}"`);
  const [extra] = Object.keys(rest);
  refuseIf(extra !== undefined, `${at}.${extra}: Extra inputs are not permitted`);
  const blocks =
    typeof content === "string" ? [{ type: "text", text: content }] : list(content, `${at}.content`);
  const isEmpty = content === "" || blocks.length === 0;
  refuseIf(isEmpty && !(isLast && role === "assistant"), `${at}: all messages must have non-empty content`);
  for (const [number, block] of blocks.entries()) checkBlock(block, String(role), `${at}.content.${number}`);
  const { text } = blocks.at(-1) ?? {};
  refuseIf(
    isLast && role === "assistant" && typeof text === "string" && text !== text.trimEnd(),
    "messages: final assistant content cannot end with trailing whitespace",
  );
  return { role, index, blocks: [...blocks] };
}

/** Every call has its result in the turn after it, before anything else; every result has its call. */
function checkPairs(turns: readonly Turn[]): void {
  const used = new Set<unknown>();
  for (const [number, { index, blocks }] of turns.entries()) {
    const before = turns[number - 1];
    const calls = idsOf(before?.role === "assistant" ? before.blocks : [], "tool_use", "id");
    const other = blocks.findIndex(({ type }) => type !== "tool_result");
    const leading = other < 0 ? blocks : blocks.slice(0, other);
    const results = idsOf(leading, "tool_result", "tool_use_id");
    const missing = calls.filter((id) => !results.includes(id));
    refuseIf(
      missing.length > 0,
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
    const all = idsOf(blocks, "tool_result", "tool_use_id");
    const stray = all.find((id) => !calls.includes(id));
    refuseIf(
      stray !== undefined,
      `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
    const twice = all.find((id, at) => all.indexOf(id) !== at);
    refuseIf(
      twice !== undefined,
      `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
    );
    for (const id of idsOf(blocks, "tool_use", "id")) {
      refuseIf(used.has(id), `messages.${index}: \`tool_use\` ids must be unique`);
      used.add(id);
    }
  }
  const open = idsOf(turns.at(-1)?.blocks ?? [], "tool_use", "id");
  refuseIf(
    open.length > 0,
    `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}`,
  );
}

function idsOf(blocks: readonly JsonObject[], type: string, key: string): unknown[] {
  return blocks.filter((block) => block["type"] === type).map((block) => block[key]);
}

function checkMarks(body: JsonObject): void {
  const marks = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0;
  refuseIf(marks > 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
}

export interface FakeAnswer {
  /** Sent as server-sent events. */
  stream?: readonly StreamPayload[];
  /** How many bytes are written at a time; all at once unless given. */
  chunkBytes?: number;
  /** Sent as JSON. */
  body?: JsonObject;
}

/** A server that checks each request as the API does, and answers those it takes as told. */
export async function fakeAnthropic(answer: (request: JsonObject) => FakeAnswer) {
  const requests: JsonObject[] = [];
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      requests.push(body);
      respond(response, body, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function respond(
  response: ServerResponse,
  request: JsonObject,
  answer: (request: JsonObject) => FakeAnswer,
): void {
  const message = validateRequest(request);
  if (message !== undefined) {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
    return;
  }
  const { stream, chunkBytes, body } = answer(request);
  if (stream === undefined) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const bytes = Buffer.from(stream.map(eventText).join(""));
  const size = chunkBytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
  response.end();
}

function eventText({ event, data }: StreamPayload): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return formatSse({ ...(event === undefined ? {} : { event }), data: text });
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  return isObject(value) ? value : {};
}
