import { onTestFinished } from "vitest";
import type { Settings } from "../../src/channels/telegram/settings.js";
import { type DeskOptions, startDesk } from "../../src/gateway/channels/desk.js";
import { MetricsRegistry } from "../../src/gateway/metrics.js";
import type { ChannelDesk } from "../../src/gateway/types.js";
import type { Store } from "../../src/log/store.js";
import { Runtime } from "../../src/runtime/runtime.js";
import type { Config } from "../../src/runtime/schema.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import type { ChatPlatform } from "./chat-platform.js";

export interface TestDesk {
  desk: ChannelDesk;
  runtime: Runtime;
  home: string;
  metrics: MetricsRegistry;
  /** What was noted, each as one line of JSON. */
  noted: string[];
  /** The desk and its runtime; another can be started on its home. */
  stop(): Promise<void>;
}

export interface TestDeskOptions {
  home?: string;
  config?: Config;
  settings?: Settings;
  identities?: Record<string, string[]>;
  world?: DeskOptions["world"];
  fetch?: typeof fetch;
  store?: Store;
}

/** A desk with one account, on a platform in memory or another, which ends with the test. Everybody is answered unless settings say otherwise. */
export function testDesk(platform: Pick<ChatPlatform, "load">, options: TestDeskOptions = {}): TestDesk {
  const { home = temporaryFolder(), settings = { direct: "open" }, world, identities } = options;
  const config: Config = { model: "demo/echo", ...options.config };
  const noted: string[] = [];
  const note = (fields: object, text: string) =>
    void noted.push(
      JSON.stringify({ ...fields, text }, (_, value) => (value instanceof Error ? String(value) : value)),
    );
  const runtime = new Runtime({
    home,
    config,
    waitsForAnswers: true,
    onNote: (text) => note({}, text),
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(options.fetch === undefined ? {} : { models: { fetch: options.fetch } }),
  });
  const metrics = new MetricsRegistry();
  const desk = startDesk({
    runtime,
    config: { telegram: { default: settings }, ...(identities === undefined ? {} : { identities }) },
    home,
    logger: { info: note, warn: note, error: note },
    metrics,
    env: {},
    channels: { telegram: platform.load },
    ...(world === undefined ? {} : { world }),
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= desk.close().then(() => runtime.close());
    return stopped;
  };
  onTestFinished(stop);
  return { desk, runtime, home, metrics, noted, stop };
}
