import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamPayload } from "../../src/core/api/provider.js";
import { resolvePointer } from "../../src/core/json/pointer.js";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import type { AssistantMessage } from "../../src/core/types.js";
import type { ApiName } from "../../src/dialects/registry.js";
import { bodyOf, models, wireOf } from "./model-server.js";
import { says } from "./scripted-model.js";

/** Where each API states the schema of an answer, and the name of the first tool. */
const places: Record<ApiName, { schema: readonly string[]; tool: string }> = {
  anthropic: { schema: ["/output_config/format/schema"], tool: "/tools/0/name" },
  "openai-chat": { schema: ["/response_format/json_schema/schema"], tool: "/tools/0/function/name" },
  "openai-responses": { schema: ["/text/format/schema"], tool: "/tools/0/name" },
  google: {
    schema: ["/generationConfig/responseJsonSchema", "/generationConfig/responseSchema"],
    tool: "/tools/0/functionDeclarations/0/name",
  },
  ollama: { schema: ["/format"], tool: "/tools/0/function/name" },
  bedrock: {
    schema: ["/outputConfig/textFormat/structure/jsonSchema/schema"],
    tool: "/toolConfig/tools/0/toolSpec/name",
  },
};

export interface StructuredProvider {
  url: string;
  /** What was refused since the last look. */
  takeRefusals(): string[];
  /** The schemas of the answers that were asked for since the last look. */
  takeSchemas(): JsonObject[];
  close(): Promise<void>;
}

/**
 * A provider of one API that answers a request for structured output with this JSON: as text if the request has a schema
 * for the answer, as the arguments of a call if it has a tool. It refuses what the API refuses.
 */
export async function structuredProvider(api: ApiName, json: string): Promise<StructuredProvider> {
  const refusals: string[] = [];
  const schemas: JsonObject[] = [];

  function answerTo(body: unknown): AssistantMessage | string {
    const refusal = models[api].refusal(body);
    if (refusal !== undefined) return refusal;
    const tool = resolvePointer(body, places[api].tool);
    if (typeof tool === "string") return callOf(tool, json);
    const schema = places[api].schema.map((at) => schemaAt(body, at)).find((one) => one !== undefined);
    if (schema === undefined) return "the request asks for neither a tool nor structured output";
    schemas.push(schema);
    return says(json);
  }

  const server = createServer(async (request, response) => {
    const asked = await bodyOf(request);
    const answer = answerTo(asked);
    if (typeof answer === "string") {
      refusals.push(answer);
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: answer } }));
      return;
    }
    const { type, body } = await wireOf(api, answer, (payload) => withFormat(payload, asked));
    response.writeHead(200, { "content-type": type });
    response.end(body);
  });
  return {
    url: await listen(server),
    takeRefusals: () => refusals.splice(0),
    takeSchemas: () => schemas.splice(0),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** OpenAI's Responses repeat the format of the request in every event with a response. */
function withFormat(payload: StreamPayload, asked: unknown): StreamPayload {
  const text = resolvePointer(asked, "/text");
  const { data } = payload;
  if (text === undefined || !isObject(data) || !isObject(data["response"])) return payload;
  return { ...payload, data: { ...data, response: { ...data["response"], text } } };
}

function schemaAt(body: unknown, at: string): JsonObject | undefined {
  const value = resolvePointer(body, at);
  const schema: unknown = typeof value === "string" && value.startsWith("{") ? JSON.parse(value) : value;
  return isObject(schema) ? schema : undefined;
}

function callOf(name: string, json: string): AssistantMessage {
  const call = { type: "toolCall" as const, id: "call_1", name, arguments: JSON.parse(json) };
  return { ...says(""), content: [call], stopReason: "toolUse" };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
