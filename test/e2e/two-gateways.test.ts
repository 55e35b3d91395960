import { beforeAll, describe, expect, test } from "vitest";
import { told } from "../fakes/watching.js";
import { startPair, stored, watching } from "../support/cli/gateway-pair.js";
import { requireBuild, workspace } from "../support/cli/run-cli.js";
import { newPostgresAddress } from "../support/postgres/shared.js";
import { sharedStores } from "../support/shared-stores.js";

const { path, spawned } = workspace();
const SILENT = "agent:main:silent";
const HALF = "agent:main:half";
const SHARED = "agent:main:shared";

beforeAll(requireBuild);

describe.each(sharedStores)("two gateways that share %s", (_, places) => {
  test.each(["SIGKILL", "SIGTERM"] as const)(
    "one that ends by %s leaves its runs to the other one",
    async (signal) => {
      const { place, token, first, second } = await startPair(places);
      const silent = await watching(first, token, SILENT);
      await silent.client.send(SILENT, "stall");
      const half = await watching(first, token, HALF);
      const begun = half.watcher.until(() => half.watcher.live === "half");
      await half.client.send(HALF, "say: half\nstall");
      await begun;
      await half.client.send(HALF, "and then?");

      const elsewhere = await watching(second, token, SILENT);
      const ended = performance.now();
      first.child.kill(signal);
      await elsewhere.watcher.until(() => elsewhere.watcher.messages.at(-1)?.role === "assistant");
      // Two seconds at most were measured; a machine with other work takes longer.
      if (signal === "SIGKILL") expect(performance.now() - ended).toBeLessThan(8_000);
      const rest = await watching(second, token, HALF);
      await rest.watcher.until(() => told(rest.watcher.messages).includes("assistant (stop): and then?"));

      second.child.kill("SIGTERM");
      expect((await second.ended).code).toBe(0);
      expect(await stored(place, SILENT)).toEqual(["session", "user: stall", "assistant (stop): stall"]);
      expect(await stored(place, HALF)).toEqual([
        "session",
        "user: say: half\nstall",
        "custom",
        "assistant (error): half",
        "user: and then?",
        "assistant (stop): and then?",
        "custom",
      ]);
      const store = await place.open();
      expect(await store.due.list()).toEqual([]);
      await store.close();
    },
    60_000,
  );

  test("each knows the same sessions and tokens", async () => {
    const { token, first, second } = await startPair(places);
    const here = await watching(first, token, SHARED);
    const there = await watching(second, token, SHARED);
    await here.client.send(SHARED, "say: one");
    await there.watcher.until(() => told(there.watcher.messages).includes("assistant (stop): one"));
    await there.client.send(SHARED, "two");
    await here.watcher.until(() => told(here.watcher.messages).includes("assistant (stop): two"));
    const { sessions } = await there.client.call("sessions.list", {});
    expect(sessions).toHaveLength(1);
  }, 60_000);
});

test("no output names the password of a store that cannot be reached", async () => {
  const address = (await newPostgresAddress()).replace("postgres@", "postgres:hush-hush@");
  const env = { DRAGOMAN_STORE: address.replace(/:\d+\//, ":1/") };
  const refused = await spawned(["sessions", "list", "--home", path("one")], "", env);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("postgres://127.0.0.1:1/postgres");
  expect(refused.stderr).toContain("cannot be reached");
  expect(refused.stderr).not.toContain("hush-hush");
}, 60_000);
