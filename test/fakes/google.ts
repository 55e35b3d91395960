import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamPayload } from "../../src/core/api/provider.js";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { formatSse } from "../../src/framing/index.js";
import { schemaComplaints, unknownName } from "./google-schema.js";
import { googleFormatRefusal } from "./output-rules.js";

/** What the real API says to a request it refuses; undefined for one it takes. `model` stands in the URL. */
export function validateRequest(body: unknown, model = ""): string | undefined {
  const [first] = complaints(body, model);
  return first;
}

const FIELDS = [
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "safetySettings",
  "cachedContent",
  "labels",
];

function* complaints(body: unknown, model: string): Generator<string> {
  if (!isObject(body))
    return yield 'Invalid JSON payload received. Unknown name "": Root element must be a message.';
  yield* unknownName(body, FIELDS, "");
  const { contents, systemInstruction, tools, generationConfig } = body;
  if (!Array.isArray(contents) || contents.length === 0) {
    return yield "* GenerateContentRequest.contents: contents is not specified";
  }
  if (isObject(systemInstruction))
    yield* partComplaints(systemInstruction["parts"], "system_instruction", "user");
  for (const [index, content] of contents.entries()) yield* contentComplaints(content, index);
  yield* orderComplaints(contents.filter(isObject), model);
  if (tools !== undefined) yield* toolComplaints(tools);
  if (isObject(generationConfig)) yield* configComplaints(generationConfig, model);
}

function* contentComplaints(content: unknown, index: number): Generator<string> {
  const at = `contents[${index}]`;
  if (!isObject(content)) return yield `Invalid value at '${at}'`;
  yield* unknownName(content, ["role", "parts"], at);
  if (content["role"] !== "user" && content["role"] !== "model")
    yield "Please use a valid role: user, model.";
  yield* partComplaints(content["parts"], at, content["role"]);
}

const DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];
const BESIDE = ["thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata"];
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function* partComplaints(parts: unknown, at: string, role: unknown): Generator<string> {
  if (!Array.isArray(parts) || parts.length === 0)
    return yield `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`;
  for (const [index, part] of parts.entries()) {
    const place = `${at}.parts[${index}]`;
    if (!isObject(part)) return yield `Invalid value at '${place}'`;
    yield* unknownName(part, [...DATA, ...BESIDE], place);
    const kinds = DATA.filter((kind) => part[kind] !== undefined);
    const [kind] = kinds;
    if (kinds.length > 1) yield `Invalid value at '${place}' (oneof), oneof field 'data' is already set.`;
    if (kind === undefined)
      yield `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field`;
    if (part["text"] === "" && part["thoughtSignature"] === undefined && role !== "model")
      yield "Unable to submit request because it has an empty text parameter.";
    yield* mediaComplaints(part, place);
    yield* functionComplaints(part, place, role);
    const { thoughtSignature } = part;
    const sentinel = thoughtSignature === "skip_thought_signature_validator";
    if (thoughtSignature !== undefined && !sentinel && !BASE64.test(String(thoughtSignature))) {
      yield `Invalid value at '${place}.thought_signature' (TYPE_BYTES), Base64 decoding failed`;
    }
  }
}

function* mediaComplaints({ inlineData, fileData }: JsonObject, at: string): Generator<string> {
  if (isObject(inlineData)) {
    yield* unknownName(inlineData, ["mimeType", "data", "displayName"], `${at}.inline_data`);
    if (typeof inlineData["mimeType"] !== "string")
      yield `* GenerateContentRequest.${at}.inline_data.mime_type: must not be empty`;
    if (!BASE64.test(String(inlineData["data"])))
      yield `Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed`;
  }
  if (isObject(fileData)) {
    yield* unknownName(fileData, ["mimeType", "fileUri", "displayName"], `${at}.file_data`);
    if (typeof fileData["fileUri"] !== "string")
      yield `* GenerateContentRequest.${at}.file_data.file_uri: must not be empty`;
  }
}

function* functionComplaints(part: JsonObject, at: string, role: unknown): Generator<string> {
  const { functionCall, functionResponse } = part;
  if (isObject(functionCall)) {
    yield* unknownName(functionCall, ["id", "name", "args"], `${at}.function_call`);
    if (role !== "model") yield "Please ensure that function call parts are in a turn of the model.";
    if (!isName(functionCall["name"]))
      yield `* GenerateContentRequest.${at}.function_call.name: Name cannot be empty.`;
    if (functionCall["args"] !== undefined && !isObject(functionCall["args"]))
      yield `Invalid value at '${at}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`;
  }
  if (isObject(functionResponse)) {
    yield* unknownName(
      functionResponse,
      ["id", "name", "response", "parts", "willContinue", "scheduling"],
      `${at}.function_response`,
    );
    if (!isName(functionResponse["name"]))
      yield `* GenerateContentRequest.${at}.function_response.name: Name cannot be empty.`;
    if (!isObject(functionResponse["response"]))
      yield `Invalid value at '${at}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`;
  }
}

function isName(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(value);
}

function held(content: JsonObject | undefined, kind: "functionCall" | "functionResponse"): JsonObject[] {
  const parts = content === undefined || !Array.isArray(content["parts"]) ? [] : content["parts"];
  return parts.flatMap((part) => (isObject(part) && isObject(part[kind]) ? [part[kind]] : []));
}

/** The official client sends an answer back in pieces, and so a model may have several contents in a row. */
function withoutPieces(contents: readonly JsonObject[]): JsonObject[] {
  return contents.reduce<JsonObject[]>((turns, content) => {
    const last = turns.at(-1);
    if (content["role"] !== "model" || last?.["role"] !== "model") return turns.concat(content);
    return turns.with(-1, { role: "model", parts: [last["parts"], content["parts"]].flat() });
  }, []);
}

/** Turns alternate, begin with a user, and every call is answered in the turn after it, by as many responses. */
function* orderComplaints(given: readonly JsonObject[], model: string): Generator<string> {
  const contents = withoutPieces(given);
  if (contents[0]?.["role"] === "model") yield "Please ensure that the conversation begins with a user turn.";
  for (const [index, content] of contents.entries()) {
    const next = contents[index + 1];
    if (content["role"] === next?.["role"])
      yield "Please ensure that multiturn requests alternate between user and model.";
    const calls = held(content, "functionCall");
    const responses = held(next, "functionResponse");
    if (calls.length !== responses.length && (calls.length > 0 || content["role"] === "model")) {
      yield "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    }
    const wanted = calls.map(({ id, name }) => `${id} ${name}`).sort();
    const answered = responses.map(({ id, name }) => `${id} ${name}`).sort();
    if (wanted.join() !== answered.join())
      yield "Please ensure that function responses match the function calls of the turn before.";
    if (calls.length > 0 && /gemini-[3-9]/.test(model)) yield* signatureComplaints(content);
  }
  if (held(contents[0], "functionResponse").length > 0) {
    yield "Please ensure that function response turn comes immediately after a function call turn.";
  }
}

function* signatureComplaints({ parts }: JsonObject): Generator<string> {
  const calls = Array.isArray(parts)
    ? parts.filter((part) => isObject(part) && part["functionCall"] !== undefined)
    : [];
  if (calls[0]?.["thoughtSignature"] === undefined) {
    yield "Function call is missing a thought_signature in functionCall parts.";
  }
}

function* toolComplaints(tools: unknown): Generator<string> {
  if (!Array.isArray(tools)) return yield "Invalid value at 'tools'";
  for (const [index, tool] of tools.entries()) {
    const declarations = isObject(tool) ? tool["functionDeclarations"] : [];
    for (const [place, one] of (Array.isArray(declarations) ? declarations : []).entries()) {
      const at = `tools[${index}].function_declarations[${place}]`;
      yield* unknownName(
        one,
        [
          "name",
          "description",
          "parameters",
          "parametersJsonSchema",
          "response",
          "responseJsonSchema",
          "behavior",
        ],
        at,
      );
      if (!isName(one["name"])) yield `* GenerateContentRequest.${at}.name: Invalid function name.`;
      if (one["parameters"] !== undefined) yield* schemaComplaints(one["parameters"], `${at}.parameters`);
      if (one["parameters"] !== undefined && one["parametersJsonSchema"] !== undefined) {
        yield `* GenerateContentRequest.${at}: parameters and parameters_json_schema must not both be set.`;
      }
    }
  }
}

function* configComplaints(config: JsonObject, model: string): Generator<string> {
  const { thinkingConfig, maxOutputTokens } = config;
  const refused = googleFormatRefusal(config);
  if (refused !== undefined) yield refused;
  if (typeof maxOutputTokens === "number" && maxOutputTokens < 1) yield "max_output_tokens must be positive.";
  if (!isObject(thinkingConfig)) return;
  const { thinkingLevel, thinkingBudget } = thinkingConfig;
  if (thinkingLevel !== undefined && thinkingBudget !== undefined)
    yield "You can only set only one of thinking budget and thinking level.";
  if (thinkingLevel !== undefined && /gemini-[12]/.test(model))
    yield "Thinking level is not supported for this model.";
  if (thinkingBudget === 0 && /gemini-([3-9]|2\.5-pro)/.test(model))
    yield "Budget 0 is invalid. This model only works in thinking mode.";
}

export interface Answers {
  /** What `streamGenerateContent` sends. */
  payloads?: readonly StreamPayload[];
  /** What `generateContent` sends. */
  response?: JsonObject;
  /** Bytes per write. */
  chunkSize?: number;
  /** Sees each request that was taken. */
  onRequest?: (body: unknown, model: string) => void;
}

/** The API on this machine: refuses what the real one refuses, and gives the same answers to everything else. */
export async function serveGoogle(answers: Answers): Promise<{ baseUrl: string; server: Server }> {
  const server = createServer((request, response) => {
    void answer(request, response, answers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, server };
}

async function answer(request: IncomingMessage, response: ServerResponse, answers: Answers): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const [, model = "", method] = /\/models\/([^:]+):(\w+)/.exec(request.url ?? "") ?? [];
  const complaint = validateRequest(body, model);
  if (complaint !== undefined) {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: 400, message: complaint, status: "INVALID_ARGUMENT" } }));
    return;
  }
  answers.onRequest?.(body, model);
  if (method === "generateContent") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers.response));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const text = (answers.payloads ?? []).map(({ data }) => formatSse({ data: JSON.stringify(data) })).join("");
  await writeInPieces(response, Buffer.from(text), answers.chunkSize ?? text.length);
  response.end();
}

/** Each piece is a write of its own, handed to the system before the next. */
async function writeInPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise<void>((resolve, reject) => {
      response.write(bytes.subarray(at, at + size), (error) => (error == null ? resolve() : reject(error)));
    });
  }
}
