import { beforeAll, describe, expect, test } from "vitest";
import { told } from "../fakes/watching.js";
import { startPair, watching } from "../support/cli/gateway-pair.js";
import { requireBuild } from "../support/cli/run-cli.js";
import { sharedStores } from "../support/shared-stores.js";

const KEY = "agent:main:main";

beforeAll(requireBuild);

describe.each(sharedStores)("linked gateways that share %s", (_, places) => {
  test("a client sees another process's tokens, and after its death the answer of the one that takes over", async () => {
    const { first, second, token, command } = await startPair(places, ["--advertise", "http://127.0.0.1:0"]);
    const { findings } = JSON.parse((await command("doctor", "--json")).stdout);
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
    const there = await watching(first, token, KEY);
    const { client, watcher } = await watching(second, token, KEY);
    await watcher.until(() => watcher.messages.length === 1);
    await there.client.send(KEY, "say: half\nstall");
    await watcher.until(() => watcher.live === "half");
    const { runId } = await client.send(KEY, "and then?");
    first.child.kill("SIGKILL");
    expect(await client.call("agent.wait", { runId })).toEqual({
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
});
