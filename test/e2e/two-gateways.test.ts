import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openHome } from "../../src/log/files/home.js";
import { told } from "../fakes/watching.js";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";
import { connectRpc, RpcWatcher } from "../support/gateway-clients.js";

const { path, dragoman } = workspace();
const SILENT = "agent:main:silent";
const HALF = "agent:main:half";

async function watching(address: { url: string; token: string }, key: string) {
  const client = await connectRpc(address);
  onTestFinished(() => client.close());
  await client.call("sessions.create", { key });
  return { client, watcher: new RpcWatcher(client, key) };
}

async function stored(key: string): Promise<string[]> {
  const log = openHome(path("home"));
  const session = await log.open((await log.find(key)) ?? "");
  const messages = [];
  for await (const { message } of session.read()) messages.push(message);
  await session.close();
  return told(messages);
}

test.each(["SIGKILL", "SIGTERM"] as const)(
  "a gateway that ends by %s leaves its runs to the other one on the same home",
  async (signal) => {
    const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
    const token = stdout.trim();
    const first = await startServe(path("home"), ["--model", "demo/script"]);
    // This one finds nothing to resume when it starts.
    const second = await startServe(path("home"), ["--model", "demo/echo"]);

    const silent = await watching({ url: first.url, token }, SILENT);
    await silent.client.send(SILENT, "stall");
    const half = await watching({ url: first.url, token }, HALF);
    const begun = half.watcher.until(() => half.watcher.live === "half");
    await half.client.send(HALF, "say: half\nstall");
    await begun;
    await half.client.send(HALF, "and then?");

    const elsewhere = await watching({ url: second.url, token }, SILENT);
    first.child.kill(signal);
    await elsewhere.watcher.until(() => elsewhere.watcher.messages.at(-1)?.role === "assistant");
    const rest = await watching({ url: second.url, token }, HALF);
    const isAnswered = () => told(rest.watcher.messages).includes("assistant (stop): and then?");
    await rest.watcher.until(isAnswered);

    second.child.kill("SIGTERM");
    expect((await second.ended).code).toBe(0);
    expect(await stored(SILENT)).toEqual(["session", "user: stall", "assistant (stop): stall"]);
    expect(await stored(HALF)).toEqual([
      "session",
      "user: say: half\nstall",
      "custom",
      "assistant (error): half",
      "user: and then?",
      "assistant (stop): and then?",
      "custom",
    ]);
    expect([readdirSync(path("home/runs")), readdirSync(path("home/inboxes"))]).toEqual([[], []]);
  },
  60_000,
);
