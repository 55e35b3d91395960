import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { announceGateway } from "../../../src/cli/running-gateway.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { AcpClient, linesOf } from "../../fakes/acp-client.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let gateway: TestGateway;
let withdraw: () => Promise<void>;
let cwd: string;

beforeEach(async () => {
  cwd = realpathSync(temporaryFolder());
  gateway = await testGateway([rpc], { config: { model: "demo/script" } });
  // For the process that opens the home itself.
  writeFileSync(join(gateway.home, "config.json"), '{"model":"demo/script"}');
  withdraw = await announceGateway(gateway.home, gateway.url);
});

const open = () => AcpClient.open({ home: gateway.home });

test("a session of the running gateway is open in the editor and elsewhere", async () => {
  const client = await open();
  const id = await client.start(cwd);
  await client.prompt(id, "say: from the editor");
  const web = await RpcSocket.open(gateway.host, gateway.admin);
  const { runId } = await web.call("chat.send", { sessionKey: id, text: "say: from the web" });
  await web.call("agent.wait", { runId });
  await client.until(() => linesOf(client.updates).includes("agent from the web"));
  expect(linesOf(client.updates)).toEqual([
    "agent from the editor",
    "user say: from the web",
    "agent from the web",
  ]);
  // The run was in the gateway, by a token that no other client has.
  expect((await gateway.tokens.list()).map(({ name, scope }) => ({ name, scope }))).toEqual([
    { name: "dragoman acp", scope: "admin" },
  ]);
});

test("a failure of another client's run is shown", async () => {
  const client = await open();
  const id = await client.start(cwd);
  await client.prompt(id, "say: hi");
  const web = await RpcSocket.open(gateway.host, gateway.admin);
  await web.call("chat.send", { sessionKey: id, text: "fail: 400" });
  await client.until(() => linesOf(client.updates).includes("agent Error: HTTP 400: as the script says"));
});

test("a permission request that is answered elsewhere is withdrawn", async () => {
  const client = await open();
  client.permission = undefined;
  const id = await client.start(cwd);
  const prompt = client.prompt(id, 'call: exec {"command":"echo hi"}\n---\nsay: done');
  await client.until(() => client.requests.length === 1);
  const web = await RpcSocket.open(gateway.host, gateway.admin);
  const { permissions } = await web.call("chat.subscribe", { sessionKey: id, asks: true });
  const [{ id: question }] = JSON.parse(JSON.stringify(permissions));
  await web.call("permission.answer", { sessionKey: id, id: question, answer: "once" });
  expect(await prompt).toEqual({ stopReason: "end_turn" });
  expect(client.cancelled).toEqual([client.requests[0]?.id]);
});

test("a prompt waits for the run of another client, and can be cancelled meanwhile", async () => {
  const client = await open();
  const id = await client.start(cwd);
  await client.prompt(id, "say: hi");
  const web = await RpcSocket.open(gateway.host, gateway.admin);
  await web.call("chat.send", { sessionKey: id, text: "say: long\nstall" });
  await client.until(() => linesOf(client.updates).includes("agent long"));
  const prompt = client.prompt(id, "say: second");
  client.notify("session/cancel", { sessionId: id });
  expect(await prompt).toEqual({ stopReason: "cancelled" });
  expect(await client.prompt(id, "say: third")).toEqual({ stopReason: "end_turn" });
});

test("when the gateway stops, its prompt fails, and the session continues in this process", async () => {
  const client = await open();
  const id = await client.start(cwd);
  const prompt = client.prompt(id, "say: half\nstall");
  await client.until(() => linesOf(client.updates).includes("agent half"));
  await withdraw();
  const failed = expect(prompt).rejects.toThrow("-32603 the gateway stopped while the agent was answering");
  await gateway.stop();
  await failed;
  expect(await client.prompt(id, "say: still here")).toEqual({ stopReason: "end_turn" });
  expect(linesOf(client.updates).at(-1)).toBe("agent still here");
});
