import { expect, test } from "vitest";
import { acpProgram } from "../fakes/acp-program.js";
import { told } from "../fakes/watching.js";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";
import { connectRpc, RpcWatcher } from "../support/gateway-clients.js";
import { isAlive } from "../support/process-alive.js";

const { path, put, get } = workspace();
const KEY = "agent:coder:main";

async function serve() {
  const program = {
    command: process.execPath,
    args: ["-e", acpProgram],
    env: { ACP_RECORD: path("record") },
  };
  put("home/config.json", JSON.stringify({ model: "demo/echo", agents: { coder: { acp: program } } }));
  const server = await startServe(path("home"));
  const client = await connectRpc(server);
  return { server, client, watcher: new RpcWatcher(client, KEY) };
}

const recorded = () => get("record").trimEnd().split("\n");
const programId = () =>
  Number(
    recorded()
      .findLast((line) => line.startsWith("pid "))
      ?.slice(4),
  );

/** What people see of the conversation. */
const linesOf = ({ messages }: RpcWatcher) =>
  told(messages).filter((line) => /^(user|assistant|error)/.test(line));

/** The half answer stays, and neither prompt was sent twice. */
function expectResumed(watcher: RpcWatcher): void {
  expect(linesOf(watcher)).toEqual([
    "user: hang",
    "assistant (error): half",
    "user: again",
    "assistant (stop): answer to again",
  ]);
  expect(recorded().filter((line) => !line.startsWith("pid"))).toEqual([
    "prompt hang",
    "resume s1",
    "prompt again",
  ]);
}

test("kill -9 of the program: its half answer stays, and the next message starts it again", async () => {
  const { client, watcher } = await serve();
  await client.send(KEY, { text: "hang" });
  await watcher.until(() => watcher.live === "half");
  process.kill(programId(), "SIGKILL");
  await watcher.until(() => linesOf(watcher).length === 2);
  await client.send(KEY, { text: "again" });
  await watcher.until(() => linesOf(watcher).length === 4);
  expectResumed(watcher);
  client.close();
});

test("kill -9 of the gateway: the program ends, and its prompt is not sent twice", async () => {
  const first = await serve();
  await first.client.send(KEY, { text: "hang" });
  await first.watcher.until(() => first.watcher.live === "half");
  first.client.close();
  const pid = programId();
  first.server.child.kill("SIGKILL");
  await first.server.ended;
  const { client, watcher } = await serve();
  await client.send(KEY, { text: "again" });
  await watcher.until(() => linesOf(watcher).some((line) => line.endsWith("answer to again")));
  expectResumed(watcher);
  await expect.poll(() => isAlive(pid), { timeout: 6000 }).toBe(false);
  client.close();
});
