import { existsSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { DragomanClient } from "../../src/client/index.js";
import type { AgentMessage } from "../../src/core/types.js";
import { workspace } from "../support/cli/run-cli.js";
import { type ServeProcess, startServe } from "../support/cli/serve-process.js";
import { connectRpc } from "../support/gateway-clients.js";

const { path, put, dragoman } = workspace();
const sessionKey = "agent:main:main";
/** Each run of the command adds a line. */
const COMMAND = "echo ran >> canary";
const CANARY = "home/agents/main/workspace/canary";

async function killed(server: ServeProcess): Promise<void> {
  server.child.kill("SIGKILL");
  await server.ended;
}

async function clientOf(server: ServeProcess, token: string): Promise<DragomanClient> {
  const client = await connectRpc({ url: server.url, token });
  onTestFinished(() => client.close());
  return client;
}

/** The id of the only request that waits, in all sessions, once there is one. */
async function waitingId(client: DragomanClient): Promise<string> {
  for await (const event of client.watch(sessionKey, { after: 0 })) {
    if (event.type === "permission" && event.state === "asked") break;
  }
  const { permissions } = await client.call("permission.list", {});
  expect(permissions).toMatchObject([{ sessionKey, agent: "main", request: { subject: COMMAND } }]);
  const [{ request } = { request: { id: "", asked: 0, expires: 0 } }] = permissions;
  expect(request.expires - request.asked).toBe(24 * 60 * 60 * 1000);
  return request.id;
}

async function lastAnswer(client: DragomanClient): Promise<AgentMessage | undefined> {
  for await (const event of client.watch(sessionKey, { after: 0 })) {
    if (event.type !== "message" || event.message.role !== "assistant") continue;
    if (event.message.stopReason === "stop") return event.message;
  }
  return undefined;
}

function lines(): string {
  return existsSync(path(CANARY)) ? readFileSync(path(CANARY), "utf8") : "";
}

test("a question survives kill -9 twice; the answer continues the run, and the call is made once", async () => {
  put("home/config.json", JSON.stringify({ model: "demo/script" }));
  const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
  const token = stdout.trim();
  const first = await startServe(path("home"));
  const asking = await clientOf(first, token);
  await asking.call("chat.send", {
    sessionKey,
    text: `call: exec ${JSON.stringify({ command: COMMAND })}\n---\nsay: done`,
  });
  const id = await waitingId(asking);
  asking.close();
  await killed(first);

  const second = await startServe(path("home"));
  const watching = await clientOf(second, token);
  expect(await waitingId(watching)).toBe(id);
  watching.close();
  expect(lines()).toBe("");
  await killed(second);

  const third = await startServe(path("home"));
  const answering = await clientOf(third, token);
  expect(await waitingId(answering)).toBe(id);
  expect(await answering.call("permission.answer", { sessionKey, id, answer: "once" })).toEqual({
    answered: true,
  });
  expect(await lastAnswer(answering)).toMatchObject({ content: [{ type: "text", text: "done" }] });
  expect(lines()).toBe("ran\n");
  expect(await answering.call("permission.list", {})).toEqual({ permissions: [] });
  answering.close();
  await killed(third);

  const fourth = await startServe(path("home"));
  const late = await clientOf(fourth, token);
  expect(await late.call("permission.answer", { sessionKey, id, answer: "once" })).toEqual({
    answered: false,
  });
  expect(lines()).toBe("ran\n");
  late.close();
  await killed(fourth);
});
