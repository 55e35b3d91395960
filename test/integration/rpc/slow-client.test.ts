import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { AgentMessage } from "../../../src/core/types.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { connectRpc, RpcWatcher } from "../../support/gateway-clients.js";

const KEY = "agent:main:main";
const WATCHERS = 20;
const UNREAD_BYTES = 1024 * 1024;
/** Echoed word by word, it is on the wire three times and more: as it is said, as it streams, and as it is answered. */
const TEXT = `${"x".repeat(4_000)} `.repeat(100);

test("a client that never reads is dropped with 1013, and the others miss nothing", async () => {
  const limits = { unreadBytes: UNREAD_BYTES, requestsPerMinute: 1_000_000 };
  const gateway = await testGateway([rpc], { config: { gateway: { limits } }, timing: { close: 60_000 } });
  const address = { url: gateway.url, token: gateway.admin };
  const sender = await connectRpc(address);
  await sender.call("sessions.create", { key: KEY });
  const clients = await Promise.all(Array.from({ length: WATCHERS }, () => connectRpc(address)));
  onTestFinished(() => {
    for (const client of [sender, ...clients]) client.close();
  });
  const watchers = clients.map((client) => new RpcWatcher(client, KEY));

  const slow = new WebSocket(`${gateway.url.replace("http", "ws")}/rpc`, [
    "dragoman.v1",
    `bearer.${gateway.read}`,
  ]);
  await once(slow, "open");
  slow.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chat.subscribe", params: { sessionKey: KEY } }));
  await once(slow, "message");
  slow.pause();

  const say = async () => {
    const { messageId } = await sender.send(KEY, TEXT);
    const isAnswer = (message: AgentMessage | undefined) => message?.role === "assistant";
    for (const watcher of watchers) {
      await watcher.until(
        () => watcher.messages.some(({ id }) => id === messageId) && isAnswer(watcher.messages.at(-1)),
      );
    }
  };
  let said = 0;
  let dropped = false;
  void gateway.untilNoted("too much was unread").then(() => {
    dropped = true;
  });
  for (; !dropped; said++) await say();
  // What happens from here on is not kept for it.
  for (let more = 0; more < said; more++) await say();

  let received = 0;
  slow.on("message", (data: Buffer) => {
    received += data.length;
  });
  const closed = once(slow, "close");
  slow.resume();
  const [code] = await closed;
  expect(code).toBe(1013);
  // Besides what is kept for it there is what the system keeps, which nobody here can count; but not all of it.
  expect(received).toBeLessThan(2 * said * 3 * TEXT.length);

  const { runtime } = gateway;
  const stored = await (await runtime.begin({ key: KEY })).messages();
  // Beside them there are notes of what came while the run before it was being put away.
  expect(stored.filter(({ role }) => role === "user").length).toBe(2 * said);
  expect(stored.filter(({ role }) => role === "assistant").length).toBe(2 * said);
  for (const watcher of watchers) {
    expect(watcher.messages).toEqual(stored);
    expect([watcher.lost, watcher.problems]).toEqual([0, []]);
  }
}, 120_000);
