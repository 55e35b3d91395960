import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type TSchema, Type } from "@sinclair/typebox";
import type { ToolOutput, ToolRun } from "../../../src/agent/types.js";
import { TokenStore } from "../../../src/gateway/auth/token-store.js";
import { McpEndpoint } from "../../../src/gateway/mcp/endpoint.js";
import { serviceFor } from "../../../src/gateway/mcp/service-for.js";
import { plainRefusal } from "../../../src/gateway/refusals.js";
import { type ProtocolFactory, startGateway } from "../../../src/gateway/server.js";
import { settingsOf } from "../../../src/gateway/settings.js";
import type { ServedTool } from "../../../src/mcp/server/served-tool.js";
import { Runtime } from "../../../src/runtime/runtime.js";

/** A picture of one red pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/** A WAV file without samples. */
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;

/** A tool without arguments that the suite calls by name. */
function suiteTool(
  name: string,
  execute: (run: ToolRun) => ToolOutput,
  parameters: TSchema = Type.Object({}),
): ServedTool {
  return {
    name,
    title: name,
    description: "A tool of the conformance suite.",
    parameters,
    readOnly: true,
    execute: async (_, run) => execute(run),
  };
}

/** The tools that the suite requires, as far as a tool of ours can be like them. */
const suiteTools: readonly ServedTool[] = [
  suiteTool("test_simple_text", () => ({ content: "This is a simple text response for testing." })),
  suiteTool("test_logging_tool", () => ({ content: "done" })),
  suiteTool("test_image_content", () => ({ content: [image] })),
  suiteTool("test_audio_content", () => ({
    content: [{ type: "audio", data: SOUND, mimeType: "audio/wav" }],
  })),
  suiteTool("test_error_handling", () => {
    throw new RangeError("This tool intentionally returns an error for testing");
  }),
  suiteTool("test_tool_with_progress", ({ update }) => {
    for (const part of ["0", "50", "100"]) update({ content: part });
    return { content: "done" };
  }),
  suiteTool(
    "json_schema_2020_12_tool",
    () => ({ content: "fits" }),
    Type.Unsafe({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    }),
  ),
];

const withSuiteTools: ProtocolFactory = (gateway) => {
  const endpoint = new McpEndpoint(gateway, (given, caller) => {
    const service = serviceFor(given, caller);
    return { ...service, tools: [...service.tools, ...suiteTools], explain: (error) => String(error) };
  });
  const handle = endpoint.handle.bind(endpoint);
  return {
    http: { refuse: plainRefusal, routes: [{ method: "POST", path: "/mcp", scope: "read", handle }] },
  };
};

export interface SuiteServer {
  url: string;
  close(): Promise<void>;
}

/** Our gateway with the suite's tools. The suite has no token, so that one is added on the way. */
export async function startSuiteServer(home: string): Promise<SuiteServer> {
  const config = { model: "demo/echo" };
  const runtime = new Runtime({ home, config });
  const tokens = new TokenStore(runtime.store);
  const quiet = () => undefined;
  const gateway = await startGateway({
    runtime,
    tokens,
    settings: settingsOf(config, {}, { port: "0" }),
    protocols: [withSuiteTools],
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  const authorization = `Bearer ${tokens.issue("suite", "read")}`;
  const proxy = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const passed = request(
      `${gateway.url}${url}`,
      { method, headers: { ...headers, authorization } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await gateway.close();
      await runtime.close();
    },
  };
}
