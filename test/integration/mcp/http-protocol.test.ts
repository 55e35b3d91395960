import { beforeEach, describe, expect, test } from "vitest";
import { mcpProtocol } from "../../../src/gateway/mcp/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { modern, postMcp } from "../../fakes/mcp-http.js";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await testGateway([mcpProtocol]);
});

const reading = ["sessions_search", "sessions_list", "sessions_read", "convert", "check"];

function namesIn(answer: Record<string, unknown>): string[] {
  return (answer["result"] as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

describe("legacy", () => {
  const request = (method: string, params = {}) => ({ jsonrpc: "2.0", id: 7, method, params });

  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-03-26", "2025-03-26"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ])("initialize with %s is answered with %s", async (requested, negotiated) => {
    const { status, type, answer } = await postMcp(
      gateway,
      request("initialize", {
        protocolVersion: requested,
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }),
    );
    expect(status).toBe(200);
    expect(type).toBe("application/json; charset=utf-8");
    expect(answer).toMatchObject({
      jsonrpc: "2.0",
      id: 7,
      result: {
        protocolVersion: negotiated,
        capabilities: { tools: {} },
        serverInfo: { name: "dragoman", title: "Dragoman" },
      },
    });
  });

  test("a notification is accepted without a body", async () => {
    const { status, messages } = await postMcp(gateway, {
      jsonrpc: "2.0",
      method: "notifications/initialized",
    });
    expect({ status, messages }).toEqual({ status: 202, messages: [] });
  });

  test("ping is answered, and an unknown method is an error with status 200", async () => {
    expect((await postMcp(gateway, request("ping"))).answer).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    const { status, answer } = await postMcp(gateway, request("resources/list"));
    expect(status).toBe(200);
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32601, message: 'there is no method "resources/list"' },
    });
  });

  test("results have no fields of the modern era", async () => {
    const { answer } = await postMcp(gateway, request("tools/list"));
    expect(Object.keys(answer["result"] as object)).toEqual(["tools"]);
  });

  test("a version header that does not exist is refused", async () => {
    const { status, answer } = await postMcp(gateway, request("ping"), {
      headers: { "mcp-protocol-version": "2025-01-01" },
    });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ id: 7, error: { code: -32022 } });
  });
});

describe("modern", () => {
  test("server/discover names the versions, the capabilities and the server", async () => {
    const { body, headers } = modern("server/discover");
    const { status, answer } = await postMcp(gateway, body, { headers });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      result: {
        resultType: "complete",
        supportedVersions: [
          "2026-07-28",
          "2025-11-25",
          "2025-06-18",
          "2025-03-26",
          "2024-11-05",
          "2024-10-07",
        ],
        capabilities: { tools: {} },
        ttlMs: 60_000,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "dragoman" } },
      },
    });
  });

  test.each(["initialize", "ping", "logging/setLevel", "nothing/here"])("%s is 404", async (method) => {
    const { body, headers } = modern(method, {}, "x");
    const { status, answer } = await postMcp(gateway, body, { headers });
    expect(status).toBe(404);
    expect(answer).toMatchObject({ id: "x", error: { code: -32601 } });
  });

  test("a version that is not supported is refused with those that are", async () => {
    const { body } = modern("tools/list", {
      _meta: { "io.modelcontextprotocol/protocolVersion": "2027-01-01" },
    });
    const headers = { "mcp-protocol-version": "2027-01-01", "mcp-method": "tools/list" };
    const { status, answer } = await postMcp(gateway, body, { headers });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ error: { code: -32022, data: { requested: "2027-01-01" } } });
  });

  test.each([
    ["no version header", "mcp-protocol-version", undefined],
    ["another version", "mcp-protocol-version", "2025-11-25"],
    ["no method header", "mcp-method", undefined],
    ["another method", "mcp-method", "tools/list"],
    ["no name header", "mcp-name", undefined],
    ["another name", "mcp-name", "convert"],
    ["a name in broken Base64", "mcp-name", "=?base64?###?="],
  ])("%s is a header mismatch", async (_, header, value) => {
    const { body, headers } = modern("tools/call", { name: "check", arguments: {} });
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header));
    const { status, answer } = await postMcp(gateway, body, {
      headers: value === undefined ? sent : { ...sent, [header]: value },
    });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  test("a name in Base64 is the same name", async () => {
    const { body, headers } = modern("tools/call", { name: "check", arguments: {} });
    const { status } = await postMcp(gateway, body, {
      headers: { ...headers, "mcp-name": "=?base64?Y2hlY2s=?=" },
    });
    expect(status).toBe(200);
  });

  test("a request without capabilities or without _meta is invalid", async () => {
    const { body, headers } = modern("tools/list", {
      _meta: { "io.modelcontextprotocol/clientCapabilities": undefined },
    });
    for (const sent of [body, { ...body, params: {} }]) {
      const { status, answer } = await postMcp(gateway, sent, { headers });
      expect(status).toBe(400);
      expect(answer).toMatchObject({ error: { code: -32602 } });
    }
  });

  test("an unknown tool is an error, and wrong arguments are a result that the model reads", async () => {
    const unknown = modern("tools/call", { name: "rm", arguments: {} });
    expect((await postMcp(gateway, unknown.body, { headers: unknown.headers })).answer).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("sessions_search") },
    });
    const wrong = modern("tools/call", { name: "sessions_search", arguments: { query: 1 } });
    expect((await postMcp(gateway, wrong.body, { headers: wrong.headers })).answer).toMatchObject({
      result: { isError: true, content: [{ type: "text", text: expect.stringContaining("query") }] },
    });
  });
});

test.each([
  ["read", reading],
  ["chat", [...reading, "ask_agent"]],
  ["admin", [...reading, "ask_agent"]],
] as const)("a token with scope %s sees its tools only", async (scope, names) => {
  const { body, headers } = modern("tools/list");
  const { answer } = await postMcp(gateway, body, { headers, token: gateway[scope] });
  expect(namesIn(answer)).toEqual(names);
});

test("ask_agent does not exist for a token with scope read", async () => {
  const { body, headers } = modern("tools/call", { name: "ask_agent", arguments: { message: "Hi" } });
  const { answer } = await postMcp(gateway, body, { headers, token: gateway.read });
  expect(answer).toMatchObject({ error: { code: -32602, message: expect.stringContaining("unknown tool") } });
});

test.each([
  ["no token", { token: null }, 401],
  ["another origin", { headers: { origin: "http://evil.test" } }, 403],
])("%s is refused as JSON-RPC", async (_, post, expected) => {
  const { status, answer } = await postMcp(gateway, { jsonrpc: "2.0", id: 1, method: "ping" }, post);
  expect(status).toBe(expected);
  expect(answer).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
});

test.each([
  [[]],
  [{ jsonrpc: "2.0", id: 1, result: {} }],
  [{ id: 1, method: "ping" }],
  [{ jsonrpc: "2.0", id: null, method: "ping" }],
])("%j is not a request", async (body) => {
  const { status, answer } = await postMcp(gateway, body);
  expect(status).toBe(400);
  expect(answer).toMatchObject({ error: { code: -32600 } });
});

test.each(["GET", "DELETE"])("%s is not allowed", async (method) => {
  const response = await gateway.fetch("/mcp", { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
});
