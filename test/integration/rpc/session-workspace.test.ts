import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const sessionKey = "agent:main:main";
let gateway: TestGateway;
let socket: RpcSocket;
let folder: string;

beforeEach(async () => {
  folder = realpathSync(temporaryFolder());
  gateway = await testGateway([rpc], { config: { model: "demo/script" } });
  socket = await RpcSocket.open(gateway.host, gateway.admin);
});

/** Has the agent read a file, and returns the result that its model is shown. */
async function readFile(path: string): Promise<unknown> {
  const text = `call: read ${JSON.stringify({ file_path: path })}`;
  const { runId } = await socket.call("chat.send", { sessionKey, text });
  await socket.call("agent.wait", { runId });
  const { messages } = await socket.call("chat.history", { sessionKey });
  const results = JSON.parse(JSON.stringify(messages)).map(({ message }: { message: object }) => message);
  return results.findLast(({ role }: { role: string }) => role === "toolResult")?.content[0].text;
}

test("a session works in the folder it was created with, also after a restart", async () => {
  writeFileSync(join(folder, "a.txt"), "here\n");
  await socket.call("sessions.create", { key: sessionKey, workspace: folder });
  expect(await readFile("a.txt")).toContain("here");
  expect(await socket.call("sessions.get", { sessionKey })).toMatchObject({ session: { workspace: folder } });
  await gateway.stop();
  gateway = await testGateway([rpc], { config: { model: "demo/script" }, home: gateway.home });
  socket = await RpcSocket.open(gateway.host, gateway.admin);
  expect(await readFile("a.txt")).toContain("here");
  expect(await readFile("/etc/hostname")).toContain(`is outside the workspace ${folder}`);
});

test("its folder can be changed, and is the agent's by default", async () => {
  await socket.call("sessions.create", { key: sessionKey });
  const own = join(gateway.home, "agents", "main", "workspace");
  expect(await socket.call("sessions.workspace", { sessionKey })).toEqual({ sessionKey, workspace: own });
  expect(await socket.call("sessions.list")).toMatchObject({ sessions: [{ workspace: own }] });
  const set = { sessionKey, workspace: folder };
  expect(await socket.call("sessions.workspace", set)).toEqual(set);
  writeFileSync(join(folder, "a.txt"), "there\n");
  expect(await readFile("a.txt")).toContain("there");
  expect(await socket.call("sessions.list")).toMatchObject({ sessions: [{ workspace: folder }] });
});

test("a sub-agent works in the folder of the session that started it", async () => {
  const agents = {
    main: { agents: ["helper"], permissions: [{ tool: "agent", action: "allow" as const }] },
    helper: {},
  };
  gateway = await testGateway([rpc], { config: { model: "demo/script", agents } });
  socket = await RpcSocket.open(gateway.host, gateway.admin);
  await socket.call("sessions.create", { key: sessionKey, workspace: folder });
  const task = { agent: "helper", prompt: "say: done" };
  const text = `call: agent ${JSON.stringify(task)}\n---\nsay: ok`;
  const { runId } = await socket.call("chat.send", { sessionKey, text });
  await socket.call("agent.wait", { runId });
  expect(await socket.call("sessions.list", { agent: "helper" })).toMatchObject({
    sessions: [{ agent: "helper", workspace: folder }],
  });
});

test("tokens without the scope admin neither choose a folder nor see it", async () => {
  await socket.call("sessions.create", { key: sessionKey, workspace: folder });
  const other = await RpcSocket.open(gateway.host, gateway.chat);
  const { sessions } = await other.call("sessions.list");
  expect(JSON.stringify(sessions)).not.toContain(folder);
  await expect(other.call("sessions.create", { workspace: folder })).rejects.toThrow(
    'choosing a workspace needs the scope \\"admin\\"',
  );
  await expect(other.call("sessions.workspace", { sessionKey })).rejects.toThrow("needs the scope");
});

test("a folder that does not exist is refused, and one that is gone is named", async () => {
  const gone = join(folder, "gone");
  await expect(socket.call("sessions.create", { key: sessionKey, workspace: gone })).rejects.toThrow(
    "does not exist",
  );
  await expect(socket.call("sessions.create", { key: sessionKey, workspace: "here" })).rejects.toThrow(
    "is not an absolute path",
  );
  mkdirSync(gone);
  await socket.call("sessions.create", { key: sessionKey, workspace: gone });
  rmSync(gone, { recursive: true });
  await expect(socket.call("chat.send", { sessionKey, text: "Hi" })).rejects.toThrow(
    `the session's workspace \\"${gone}\\" does not exist`,
  );
  mkdirSync(gone);
  writeFileSync(join(gone, "a.txt"), "back\n");
  expect(await readFile("a.txt")).toContain("back");
});

test("the Dragoman home is hidden from a workspace around it", async () => {
  const inside = realpathSync(gateway.home);
  writeFileSync(join(inside, "config.json"), '{"keys":{}}');
  await socket.call("sessions.create", { key: sessionKey, workspace: join(inside, "..") });
  expect(await readFile(join(inside, "config.json"))).toContain("belongs to Dragoman, not to the workspace");
  expect(await readFile(join(inside, "none", "x"))).toContain("belongs to Dragoman, not to the workspace");
});
