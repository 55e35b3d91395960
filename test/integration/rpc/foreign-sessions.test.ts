import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const sessionKey = "agent:main:telegram:dm:123456789";
const turns = [
  '{"role":"user","content":[{"type":"text","text":"My name is Ada."}],"timestamp":1734567890,"metadata":{"channel":"telegram","peerId":"123456789","messageId":"1"}}',
  '{"role":"assistant","content":[{"type":"text","text":"Hi Ada."}],"timestamp":1734567891}',
  "",
].join("\n");

let gateway: TestGateway;
let socket: RpcSocket;
let file: string;

beforeEach(async () => {
  gateway = await testGateway([rpc], { config: { model: "demo/echo" } });
  socket = await RpcSocket.open(gateway.host, gateway.admin);
  const folder = join(gateway.home, "agents/main/sessions");
  mkdirSync(folder, { recursive: true });
  file = join(folder, `${sessionKey}.jsonl`);
  writeFileSync(file, turns);
});

/** What the methods that read a session take the key for. */
async function named() {
  const [listed, history, got, exported] = [
    await socket.call("sessions.list"),
    await socket.call("chat.history", { sessionKey }),
    await socket.call("sessions.get", { sessionKey }),
    await socket.call("sessions.export", { sessionKey, dialect: "openclaw" }),
  ];
  return { listed, history, got, exported };
}

const message = { Text: "Who am I?", From: "123456789", To: "987654321", ChatType: "direct", MessageId: "2" };

test("a message for a key of an OpenClaw file continues that file's conversation, in a session of ours", async () => {
  const before = await socket.call("sessions.list");
  expect(before).toMatchObject({ sessions: [{ sessionKey, foreign: true }] });
  const sent = await socket.call("agent", { message, channel: "telegram" });
  expect(sent).toMatchObject({ sessionKey });
  const { listed, history, got, exported } = await named();
  expect(listed["sessions"]).toEqual([
    expect.objectContaining({ sessionKey, foreign: false, parent: { session: `${sessionKey}.jsonl` } }),
  ]);
  expect(got).toMatchObject({ session: (listed["sessions"] as unknown[])[0] });
  for (const told of [JSON.stringify(history), JSON.stringify(exported)]) {
    expect(told).toContain("My name is Ada.");
    expect(told).toContain("Who am I?");
  }
  expect(readFileSync(file, "utf8")).toBe(turns);
});

test("to look at its history is to use it: every method names the copy from then on", async () => {
  const { history, got } = await named();
  expect(JSON.stringify(history)).toContain("Hi Ada.");
  expect(got).toMatchObject({ session: { sessionKey, foreign: false } });
  expect(await socket.call("sessions.list")).toMatchObject({ sessions: [{ sessionKey }] });
  expect(readFileSync(file, "utf8")).toBe(turns);
});

test("a token that may only read makes no copy", async () => {
  const reader = await RpcSocket.open(gateway.host, gateway.read);
  for (const method of ["chat.history", "chat.unsubscribe", "sessions.model"]) {
    await expect(reader.call(method, { sessionKey })).rejects.toThrow();
  }
  expect(await reader.call("sessions.list")).toMatchObject({ sessions: [{ sessionKey, foreign: true }] });
  expect(JSON.stringify(await reader.call("sessions.export", { sessionKey, dialect: "openclaw" }))).toContain(
    "Hi Ada.",
  );
});
