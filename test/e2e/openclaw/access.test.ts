import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { openClawProtocol } from "../../../src/gateway/openclaw/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { scripted } from "../front-ends/front-gateway.js";
import { OpenClawClient } from "./openclaw-client.js";

const KEY = "agent:main:main";
const client = { id: "gateway-client", version: "1", platform: "linux", mode: "backend" };

/** What the gateway answers to a first message after its challenge, and how it closes the socket. */
async function answerTo(gateway: TestGateway, first: string | object) {
  const socket = new WebSocket(`ws://${gateway.host}/openclaw`);
  const frames: Record<string, unknown>[] = [];
  return new Promise<{ frames: Record<string, unknown>[]; close: [number, string] }>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data) => {
      const frame = JSON.parse(data.toString()) as Record<string, unknown>;
      if (frame["event"] === "connect.challenge") {
        socket.send(typeof first === "string" ? first : JSON.stringify(first));
      } else frames.push(frame);
    });
    socket.on("close", (code, reason) => resolve({ frames, close: [code, reason.toString()] }));
  });
}

function connect(params: object) {
  return {
    type: "req",
    id: "1",
    method: "connect",
    params: { minProtocol: 4, maxProtocol: 4, client, ...params },
  };
}

test.each([
  [
    "a wrong token",
    connect({ auth: { token: "dgm_wrong" } }),
    [1008, "unauthorized: the gateway token is unknown or revoked"],
    "AUTH_TOKEN_MISMATCH",
  ],
  ["no token", connect({}), [1008, "unauthorized: the gateway token is missing"], "AUTH_TOKEN_MISSING"],
  [
    "another protocol version",
    connect({ minProtocol: 3, maxProtocol: 3 }),
    [1002, "protocol mismatch"],
    "PROTOCOL_MISMATCH",
  ],
  [
    "another role",
    connect({ role: "node" }),
    [1008, 'this gateway serves only the role "operator", not "node"'],
    undefined,
  ],
  [
    "another method first",
    { type: "req", id: "1", method: "health", params: {} },
    [1008, "invalid handshake: first request must be connect"],
    undefined,
  ],
])("refuses %s, and closes the socket", async (_, first, close, code) => {
  const gateway = await testGateway([openClawProtocol]);
  const answered = await answerTo(gateway, first);
  expect(answered.close).toEqual(close);
  expect(answered.frames).toMatchObject([
    { type: "res", id: "1", ok: false, error: { code: "INVALID_REQUEST" } },
  ]);
  const [{ error }] = answered.frames as [{ error: { details?: { code: string } } }];
  expect(error.details?.code).toBe(code);
});

test("refuses a first message that is not JSON, or is too long", async () => {
  const gateway = await testGateway([openClawProtocol]);
  expect(await answerTo(gateway, "nonsense")).toEqual({ frames: [], close: [1008, "invalid handshake"] });
  expect(await answerTo(gateway, "x".repeat(70_000))).toEqual({
    frames: [],
    close: [1008, "the first message is too long"],
  });
});

test("grants what the token has, and no more than the client asks for", async () => {
  const gateway = await testGateway([openClawProtocol], { config: scripted() });
  const reader = await OpenClawClient.connect({ url: gateway.url, token: gateway.read });
  await expect(reader.send(KEY, "say: Hi.", "k1")).rejects.toMatchObject({
    gatewayCode: "FORBIDDEN",
    message: "missing scope: operator.write",
    details: { code: "MISSING_SCOPE", missingScope: "operator.write", requiredScopes: ["operator.write"] },
  });
  const modest = await OpenClawClient.connect({
    url: gateway.url,
    token: gateway.admin,
    scopes: ["operator.write"],
  });
  await expect(modest.request("exec.approval.list")).rejects.toThrow("missing scope: operator.approvals");
  await modest.send(KEY, "say: Hi.", "k1");
  expect((await modest.ended("k1")).payload["state"]).toBe("final");
});

test("answers unknown methods and wrong parameters with an error, and goes on", async () => {
  const gateway = await testGateway([openClawProtocol], { config: scripted() });
  const claw = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  await expect(claw.request("cron.list")).rejects.toThrow("unknown method: cron.list");
  await expect(claw.request("chat.send", { sessionKey: KEY, message: "x" })).rejects.toThrow(
    "invalid chat.send params: must have required property 'idempotencyKey'",
  );
  await expect(
    claw.request("chat.send", { sessionKey: KEY, message: "x", idempotencyKey: "k", deliver: true }),
  ).rejects.toThrow("invalid chat.send params: at /deliver: not supported by this gateway");
  await expect(claw.request("chat.history", { sessionKey: "agent:none:main" })).rejects.toThrow(
    'there is no agent "none"',
  );
  const ignored = { sessionKey: KEY, message: "say: Hi.", idempotencyKey: "k", thinking: "high" };
  expect(await claw.request("chat.send", ignored)).toEqual({
    runId: "k",
    status: "started",
    ignored: ["thinking"],
  });
});

test("a token that is revoked ends its connections", async () => {
  const gateway = await testGateway([openClawProtocol]);
  const { secret, entry } = await gateway.tokens.create("short", "chat");
  const claw = await OpenClawClient.connect({ url: gateway.url, token: secret });
  await gateway.tokens.revoke(entry.id);
  await expect(claw.request("health")).rejects.toThrow(/closed|1008/);
});

test("a token for one agent gets nothing of another agent's sessions, also of those that begin later", async () => {
  const gateway = await testGateway([openClawProtocol], { config: { agents: { main: {}, other: {} } } });
  const claw = await OpenClawClient.connect({
    url: gateway.url,
    token: gateway.tokens.issue("limited", "chat", { agents: ["main"] }),
  });
  const key = "agent:other:main";
  await expect(claw.request("sessions.messages.subscribe", { key })).rejects.toThrow(
    'there is no session "agent:other:main"',
  );
  await expect(claw.request("chat.history", { sessionKey: key })).rejects.toThrow(
    'there is no agent "other"',
  );
  const other = await gateway.runtime.begin({ key, agent: "other" });
  await other.send({ role: "user", content: "Secret", timestamp: 1 });
  await other.idle();
  await claw.send(KEY, "Hi", "k1");
  await claw.ended("k1");
  expect(JSON.stringify(claw.events)).not.toContain("Secret");
  await expect(claw.request("sessions.describe", { key })).rejects.toThrow("there is no session");
  await gateway.runtime.catalogue.update();
  const listed = await claw.request("sessions.list", { agentId: "other" });
  expect(listed["sessions"]).toEqual([]);
  expect(await claw.request("status")).toMatchObject({ sessions: { count: 1 } });
});

test("attachments keep their names, and anything but a list of them is refused", async () => {
  const gateway = await testGateway([openClawProtocol]);
  const claw = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  const send = (attachments: unknown) =>
    claw.request("chat.send", { sessionKey: KEY, message: "See", idempotencyKey: "k1", attachments });
  await expect(send({ mimeType: "image/png" })).rejects.toThrow("attachments must be a list");
  await expect(send(["aGk="])).rejects.toThrow("an attachment needs a mimeType");
  await send([{ mimeType: "text/plain", fileName: "a.txt", content: "data:text/plain;base64,aGk=" }]);
  await claw.ended("k1");
  const session = (await gateway.runtime.log.find(KEY)) ?? "";
  const [prompt] = (await (await gateway.runtime.open(session)).messages()).filter(
    ({ role }) => role === "user",
  );
  expect(prompt).toMatchObject({
    content: [
      { type: "text", text: "See" },
      { type: "file", mimeType: "text/plain", name: "a.txt", data: "aGk=" },
    ],
  });
});
