import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";

const sessionKey = "agent:main:main";

async function begin() {
  const gateway = await testGateway([rpc]);
  const socket = await RpcSocket.open(gateway.host, gateway.chat);
  const say = async (text: string) => {
    const { result, error } = await socket.respond("chat.send", { sessionKey, text, idempotencyKey: text });
    if (error !== undefined) return error;
    const { runId } = Object(result);
    return (await socket.call("agent.wait", { runId }))["status"];
  };
  expect(await say("one")).toBe("done");
  const id = await gateway.runtime.log.find(sessionKey);
  const path = join(gateway.home, "agents", "main", "sessions", `${id}.jsonl`);
  await Promise.all(gateway.runtime.running().map((conversation) => conversation.idle()));
  return { say, socket, path };
}

const shown = async (socket: RpcSocket) =>
  JSON.stringify((await socket.call("chat.history", { sessionKey }))["messages"]);

test("a session whose file was shortened is refused as the server's problem, and then goes on with what is left", async () => {
  const { say, socket, path } = await begin();
  const [first = ""] = readFileSync(path, "utf8").split("\n");
  truncateSync(path, Buffer.byteLength(first) + 1);
  expect(await say("two")).toMatchObject({ code: -32006, data: { code: "log/replaced" } });
  expect(await say("two")).toBe("done");
  const history = await shown(socket);
  expect([history.includes('"one"'), history.includes('"two"')]).toEqual([false, true]);
});

test("so is one that was put back whole, without a restart", async () => {
  const { say, socket, path } = await begin();
  const whole = readFileSync(path);
  truncateSync(path, statSync(path).size - 10);
  expect(await say("two")).toMatchObject({ code: -32006, data: { code: "log/replaced" } });
  rmSync(path);
  writeFileSync(path, whole, { mode: 0o600 });
  const outcomes = [await say("three"), await say("three")];
  expect(outcomes.at(-1)).toBe("done");
  const history = await shown(socket);
  expect([history.includes('"one"'), history.includes('"three"')]).toEqual([true, true]);
});
