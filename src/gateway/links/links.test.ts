import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { FileStore } from "../../log/files/file-store.js";
import type { Config } from "../../runtime/schema.js";
import { MetricsRegistry } from "../metrics.js";
import { differingSections } from "./config-digest.js";
import { Links } from "./links.js";
import { Members } from "./members.js";

test("a gateway whose configuration changes publishes it, and stays listed once", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = new FileStore({ home: temporaryFolder(), readForeign: async function* () {} });
  let config: Config = { model: "demo/echo" };
  const links = new Links({
    store,
    key: Buffer.from("a key of the cluster"),
    config: () => config,
    version: "0.1.0",
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    metrics: new MetricsRegistry(),
    WebSocket,
    now: () => 17,
  });
  onTestFinished(() => links.close());
  await links.join("http://127.0.0.1:1");
  const members = new Members(store, store.holders);
  const [before] = await members.living();
  config = { model: "demo/tools" };
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(async () => {
    const after = await members.living();
    expect(after).toMatchObject([{ url: "http://127.0.0.1:1", started: 17 }]);
    expect(after.map((member) => differingSections(member, before ?? { config: {} }))).toEqual([["model"]]);
  });
});
