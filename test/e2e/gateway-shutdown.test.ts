import { once } from "node:events";
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { openHome } from "../../src/log/files/home.js";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";
import {
  type Address,
  complete,
  connectRpc,
  postJson,
  RpcWatcher,
  TimbalFollower,
} from "../support/gateway-clients.js";

const { path, put, dragoman } = workspace();

const THREAD = "550e8400-e29b-41d4-a716-446655440000";
const keys = {
  rpc: "agent:main:main",
  timbal: `agent:main:timbal:dm:${THREAD}`,
  completions: "agent:main:api",
};

async function begin(): Promise<{ server: Awaited<ReturnType<typeof startServe>>; address: Address }> {
  const permissions = [{ tool: "*", action: "allow" }];
  put("home/config.json", JSON.stringify({ agents: { main: { permissions } } }));
  const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
  const server = await startServe(path("home"), ["--model", "demo/script"]);
  return { server, address: { url: server.url, token: stdout.trim() } };
}

/** Says the same to three sessions, each over another protocol, and follows all of them. */
async function talk(address: Address, text: string) {
  const client = await connectRpc(address);
  onTestFinished(() => client.close());
  await client.call("sessions.create", { key: keys.rpc });
  await postJson(address, `/v1/threads/${THREAD}`, {});
  const follower = new TimbalFollower(address, THREAD);
  onTestFinished(() => follower.leave());
  await follower.until(() => follower.cursor !== undefined);
  await client.send(keys.rpc, text);
  await postJson(address, `/v1/threads/${THREAD}/messages`, { content: text });
  await client.call("sessions.create", { key: keys.completions });
  const asked = new RpcWatcher(client, keys.completions);
  const completion = complete(address, keys.completions, "k1", text);
  await asked.until(() => asked.messages.some(({ role }) => role === "user"));
  return { client, follower, completion };
}

async function messagesOf(key: string): Promise<string[]> {
  const session = await openHome(path("home")).openOrCreate({ agent: "main", key });
  const lines: string[] = [];
  for await (const { message } of session.read()) {
    if (message.role === "assistant") lines.push(`assistant ${message.stopReason}`);
    else if (message.role === "user" || message.role === "toolResult") lines.push(message.role);
  }
  await session.close();
  return lines;
}

/** A client that only keeps what it gets, and hears how it ends. */
async function listen({ url, token }: Address, sessionKey: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, ["dragoman.v1", `bearer.${token}`]);
  const frames: string[] = [];
  socket.on("message", (data) => frames.push(String(data)));
  await once(socket, "open");
  const closed = once(socket, "close");
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chat.subscribe", params: { sessionKey } }));
  await once(socket, "message");
  return { frames, closed };
}

test("asked to stop, it lets runs come to their end, shows it to those who watch, and then says goodbye", async () => {
  const { server, address } = await begin();
  const { follower, completion } = await talk(
    address,
    'say: let me look\ncall: exec {"command":"sleep 1"}\n---\nsay: it is there',
  );
  const { frames, closed } = await listen(address, keys.rpc);
  server.child.kill("SIGTERM");
  await server.untilLogged("stopping");
  expect((await fetch(`${address.url}/metrics`).catch(() => undefined))?.status ?? 503).toBe(503);
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([1001, "the gateway is shutting down"]);
  expect(frames.some((frame) => frame.includes('"run_end"'))).toBe(true);
  await follower.until(() => follower.closes.length > 0);
  expect(follower.closes[0]).toBe(1001);
  expect(follower.values.map(({ value }) => value?.["content"])).toContain("it is there");
  // Who asked for a stream is told at once that it will not be whole; what follows is in the session.
  expect(await completion).toEqual({ text: "let me look", failed: true });
  expect((await server.ended).code).toBe(0);
  expect(readdirSync(path("home/runs"))).toEqual([]);
  for (const key of Object.values(keys)) {
    expect(await messagesOf(key)).toEqual(["user", "assistant toolUse", "toolResult", "assistant stop"]);
  }
});

test("runs that do not end are left, and the next start answers them to those who have come back", async () => {
  const { server, address } = await begin();
  const { client, follower, completion } = await talk(address, "stall");
  const { closed } = await listen(address, keys.rpc);
  server.child.kill("SIGTERM");
  const [code] = await closed;
  await follower.until(() => follower.closes.length > 0);
  expect([code, follower.closes[0]]).toEqual([1001, 1001]);
  expect(await completion).toEqual(undefined);
  const { code: status, stderr } = await server.ended;
  expect(status).toBe(0);
  expect(stderr).toContain("unfinished runs are left for another gateway of this store, or the next start");
  expect(readdirSync(path("home/runs")).length).toBe(3);

  const { port } = new URL(address.url);
  await startServe(path("home"), ["--model", "demo/echo", "--port", port]);
  const watcher = new RpcWatcher(client, keys.rpc);
  await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
  await follower.until(() => follower.values.some(({ value }) => value?.["type"] === "agent"));
  expect(await complete(address, keys.completions, "k1", "stall")).toEqual({ text: "stall", failed: false });
  for (const key of Object.values(keys)) expect(await messagesOf(key)).toEqual(["user", "assistant stop"]);
});
