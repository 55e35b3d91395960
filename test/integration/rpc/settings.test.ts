import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { configOf } from "../../../src/runtime/live-config.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const WRITTEN = `{
  "model": "demo/echo",
  "providers": { "openai": { "apiKey": "sk-secret" } },
  "agents": { "writer": { "systemPrompt": "Write well." } }
}
`;

async function settings(): Promise<{ gateway: TestGateway; socket: RpcSocket; file: string }> {
  const home = temporaryFolder();
  const file = join(home, "config.json");
  writeFileSync(file, WRITTEN);
  const gateway = await testGateway([rpc], { home });
  await configOf(gateway.runtime).reload();
  return { gateway, file, socket: await RpcSocket.open(gateway.host, gateway.admin) };
}

test("a change keeps the rest of the file, and the gateway uses it at once", async () => {
  const { gateway, socket, file } = await settings();
  const changed = await socket.call("config.set", {
    changes: [
      { path: ["agents", "writer", "model"], value: "demo/script" },
      { path: ["agents", "helper"], value: { description: "Helps" } },
      { path: ["agents", "writer", "systemPrompt"] },
    ],
  });
  expect(changed).toEqual({
    path: file,
    config: {
      model: "demo/echo",
      providers: { openai: { apiKey: "(hidden)" } },
      agents: { writer: { model: "demo/script" }, helper: { description: "Helps" } },
    },
  });
  expect(readFileSync(file, "utf8")).toContain(`"providers": { "openai": { "apiKey": "sk-secret" } }`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(gateway.runtime.agents.modelOf("writer")).toBe("demo/script");
  expect(await socket.call("agents.list")).toMatchObject({
    agents: [{ id: "main" }, { id: "writer", model: "demo/script" }, { id: "helper" }],
  });
  await socket.call("sessions.create", { agent: "helper", key: "agent:helper:main" });
  const sent = await socket.call("chat.send", { sessionKey: "agent:helper:main", text: "hello" });
  await socket.call("agent.wait", { runId: sent["runId"] });
});

test("an invalid change is not written, and the error names the field", async () => {
  const { socket, file } = await settings();
  const change = (path: string[], value: unknown) =>
    socket.respond("config.set", {
      changes: [
        { path: ["model"], value: "demo/tools" },
        { path, value },
      ],
    });
  expect(await change(["agents", "writer", "maxTurns"], 0)).toMatchObject({
    error: { code: -32602, data: { code: "config/invalid", at: "/agents/writer/maxTurns" } },
  });
  expect(await change(["agents", "writer", "model"], "nonsense")).toMatchObject({
    error: { data: { at: "/agents/writer/model", hint: expect.stringContaining("provider/model") } },
  });
  expect(await change(["agnets"], {})).toMatchObject({ error: { data: { at: "/agnets" } } });
  expect(await change(["providers", "openai", "apiKey"], "(hidden)")).toMatchObject({
    error: { data: { at: "/providers/openai/apiKey" } },
  });
  expect(await change(["store"], "postgres://(hidden)@db/x")).toMatchObject({
    error: { data: { at: "/store" } },
  });
  expect(readFileSync(file, "utf8")).toBe(WRITTEN);
});

test("keys are never sent back; providers state where theirs is", async () => {
  const { socket } = await settings();
  await socket.call("config.set", {
    changes: [
      { path: ["providers", "anthropic", "apiKey"], value: "sk-ant-very-secret" },
      { path: ["providers", "garage", "baseUrl"], value: "http://127.0.0.1:8080/v1" },
    ],
  });
  const { providers } = await socket.call("providers.list");
  const rows = new Map((providers as { name: string; key: string }[]).map((row) => [row.name, row]));
  expect(rows.get("anthropic")).toEqual({
    name: "anthropic",
    common: true,
    key: "config",
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    configured: true,
    model: expect.stringContaining("anthropic/"),
  });
  expect(rows.get("ollama")).toMatchObject({ common: false, key: "unneeded", configured: false });
  expect(rows.get("garage")).toMatchObject({ key: "unneeded", configured: true });
  expect(JSON.stringify(socket.frames)).not.toContain("very-secret");
  expect(await socket.call("providers.test", { model: "demo/echo" })).toMatchObject({ works: true });
  expect(await socket.call("providers.test", { model: "demo/nothing" })).toMatchObject({
    works: false,
    detail: expect.stringContaining("demo model"),
  });
});

test("tokens are created, used and revoked; only the owner may", async () => {
  const { gateway, socket } = await settings();
  const { token, secret } = (await socket.call("tokens.create", {
    name: "phone",
    scope: "admin",
    agents: ["writer"],
    budget: { dollars: 5, per: "day" },
  })) as { token: { id: string }; secret: string };
  expect(await socket.call("tokens.list")).toEqual({
    tokens: [
      {
        ...{ id: token.id, name: "phone", scope: "admin", created: expect.any(Number) },
        ...{ agents: ["writer"], budget: { dollars: 5, per: "day" } },
      },
    ],
  });
  const phone = await RpcSocket.open(gateway.host, secret);
  expect(await phone.call("sources.list")).toEqual({ sources: [] });
  for (const method of ["config.get", "tokens.list", "providers.list"]) {
    expect([method, await phone.respond(method, {})]).toMatchObject([method, { error: { code: -32001 } }]);
  }
  expect(
    await socket.respond("tokens.create", { name: "x", scope: "read", agents: ["nobody"] }),
  ).toMatchObject({
    error: { message: 'there is no agent "nobody"' },
  });
  expect(await socket.call("tokens.revoke", { id: token.id })).toEqual({ revoked: token.id });
  expect(await socket.call("tokens.list")).toEqual({ tokens: [] });
});
