import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { McpClient } from "../../../src/mcp/client/client.js";
import { HttpTransport } from "../../../src/mcp/client/http-transport.js";
import { OAuthAccess } from "../../../src/mcp/oauth/access.js";
import { listenForRedirect } from "../../../src/mcp/oauth/redirect-listener.js";
import type { OAuthCredentials } from "../../../src/mcp/oauth/wire.js";
import { eraOf } from "../../../src/mcp/protocol.js";
import type { McpElicitParams, McpElicitResult, McpTool } from "../../../src/mcp/wire.js";
import { httpFetch } from "../../../src/runtime/http-fetch.js";

/*
 * Our client, as the conformance suite runs it: the last argument is the address of the suite's server. It connects, lists
 * everything and uses everything once.
 */

const url = process.argv.at(-1) ?? "";
const {
  MCP_CONFORMANCE_SCENARIO: scenario = "",
  MCP_CONFORMANCE_PROTOCOL_VERSION: version = "2025-11-25",
  MCP_CONFORMANCE_CONTEXT: contextText = "{}",
} = process.env;
const context: JsonObject = JSON.parse(contextText);
const note = (text: string) => process.stderr.write(`${text}\n`);

/** A person who agrees with everything: follows the redirect of the authorization page at once. */
function agree(page: string): void {
  void (async () => {
    const { headers } = await fetch(page, { redirect: "manual" });
    await fetch(headers.get("location") ?? "");
  })().catch((error) => note(String(error)));
}

let credentials: OAuthCredentials | undefined;
const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const auth = new OAuthAccess({
  name: "judge",
  url,
  store: {
    read: async () => credentials,
    write: async (_, next) => {
      credentials = next;
    },
    exclusively: (work) => work(),
  },
  // The suite knows this document.
  configured: {
    clientId: text(context["client_id"]) ?? "https://conformance-test.local/client-metadata.json",
    clientSecret: text(context["client_secret"]),
  },
  fetch: httpFetch,
  now: Date.now,
  page: { listen: listenForRedirect, open: agree, signal: new AbortController().signal },
});

/** Accepts every form with its default values. */
async function elicit({ requestedSchema }: McpElicitParams): Promise<McpElicitResult> {
  const fields = Object.entries(requestedSchema?.properties ?? {});
  const defaults = fields.flatMap(([name, field]) => ("default" in field ? [[name, field["default"]]] : []));
  return { action: "accept", content: Object.fromEntries(defaults) };
}

function argumentsFor({ name, inputSchema }: McpTool, tools: readonly McpTool[]): JsonObject {
  // It echoes the schema of the tool beside it.
  if (name === "json_schema_echo") {
    return { schema: tools.find((tool) => tool.name === "json_schema_2020_12_tool")?.inputSchema };
  }
  const { properties } = inputSchema;
  return isObject(properties) && "a" in properties ? { a: 2, b: 3 } : {};
}

const client = await McpClient.connect({
  era: eraOf(version),
  open: (events) => new HttpTransport({ url, headers: {}, fetch: httpFetch, auth }, events),
  onLine: note,
});
try {
  const tools = await client.listTools(note);
  const planned = context["toolCalls"];
  const calls: unknown[] = Array.isArray(planned)
    ? planned
    : scenario === "json-schema-ref-no-deref"
      ? []
      : tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
  for (const call of calls) {
    if (!isObject(call) || !isObject(call["arguments"])) continue;
    await client
      .callTool(String(call["name"]), call["arguments"], { elicit })
      .catch((error) => note(String(error)));
  }
  for (const { uri } of await client.listResources(note)) await client.readResource(uri);
  for (const { name } of await client.listPrompts(note)) await client.getPrompt(name, {});
} finally {
  await client.close();
}
// Connections that are kept open would delay the end.
process.exit(0);
