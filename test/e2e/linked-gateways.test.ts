import { expect, onTestFinished, test } from "vitest";
import { told } from "../fakes/watching.js";
import { workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";
import { connectRpc, RpcWatcher } from "../support/gateway-clients.js";

const { path, dragoman } = workspace();
const KEY = "agent:main:main";

test("a client sees another process's tokens, and after its death the answer of the one that takes over", async () => {
  const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
  const token = stdout.trim();
  const advertise = ["--advertise", "http://127.0.0.1:0"];
  const first = await startServe(path("home"), ["--model", "demo/script", ...advertise]);
  const second = await startServe(path("home"), ["--model", "demo/echo", ...advertise]);
  const [there, here] = [
    await connectRpc({ url: first.url, token }),
    await connectRpc({ url: second.url, token }),
  ];
  onTestFinished(() => {
    there.close();
    here.close();
  });
  const { findings } = JSON.parse((await dragoman(["doctor", "--json", "--home", path("home")])).stdout);
  expect(findings.filter(({ subject }: { subject: string }) => subject === "gateways")).toEqual([
    {
      subject: "gateways",
      level: "warning",
      message: expect.stringMatching(
        /^http:\S+ and http:\S+ share this store, and their configurations differ in model: answers/,
      ),
      fix: "give every gateway the same config.json and the same options",
    },
  ]);
  await there.call("sessions.create", { key: KEY });
  const watcher = new RpcWatcher(here, KEY);
  await watcher.until(() => watcher.messages.length === 1);
  await there.send(KEY, "say: half\nstall");
  await watcher.until(() => watcher.live === "half");
  const { runId } = await here.send(KEY, "and then?");
  first.child.kill("SIGKILL");
  expect(await here.call("agent.wait", { runId })).toEqual({
    runId,
    status: "error",
    error: "the gateway that ran it has stopped",
  });
  await watcher.until(() => told(watcher.messages).includes("assistant (stop): and then?"));
  expect(told(watcher.messages).filter((line) => line !== "custom")).toEqual([
    "session",
    "user: say: half\nstall",
    "assistant (error): half",
    "user: and then?",
    "assistant (stop): and then?",
  ]);
  expect(watcher.problems).toEqual([]);
  second.child.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
}, 60_000);
