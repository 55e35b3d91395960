import { onTestFinished } from "vitest";
import { TokenStore } from "../../src/gateway/auth/token-store.js";
import { type GatewayOptions, type ProtocolFactory, startGateway } from "../../src/gateway/server.js";
import { settingsOf } from "../../src/gateway/settings.js";
import type { Logger } from "../../src/gateway/types.js";
import { openCells } from "../../src/log/files/cells.js";
import { Runtime, type RuntimeOptions } from "../../src/runtime/runtime.js";
import type { Config } from "../../src/runtime/schema.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A gateway on a port of its own, which ends with the test. */
export interface TestGateway {
  url: string;
  /** `127.0.0.1:40123` */
  host: string;
  home: string;
  runtime: Runtime;
  tokens: TokenStore;
  read: string;
  chat: string;
  admin: string;
  /** What was noted, each as one line of JSON. */
  noted: string[];
  /** The first note with these words in it, when it is there. */
  untilNoted(words: string): Promise<string>;
  close(): Promise<unknown>;
  /** The same, and its runtime too: another can be started on its home. */
  stop(): Promise<void>;
  /** Asks with a token, the one of scope admin unless another is given; null asks without. */
  fetch(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
}

export interface TestGatewayOptions extends Pick<GatewayOptions, "timing" | "now"> {
  config?: Config;
  /** Of a gateway before it; otherwise an empty one. */
  home?: string;
  models?: RuntimeOptions["models"];
  telemetry?: RuntimeOptions["telemetry"];
  /** Instead of keeping them. */
  notes?: Logger;
  /** Links it to the others on its home; with a cluster token, or the one that the home keeps. */
  links?: { token?: string; advertise?: string };
}

/**
 * Starts the real server with these protocols.
 *
 * @example
 * const gateway = await testGateway([threads]);
 * const response = await gateway.fetch("/v1/threads", { method: "POST", token: gateway.chat });
 */
export async function testGateway(
  protocols: readonly ProtocolFactory[],
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { home = temporaryFolder(), models, telemetry } = options;
  const given: Config = { model: "demo/echo", ...options.config };
  // What runs on this computer is not for a test, unless the test stands between.
  const isOpen = models?.fetch !== undefined;
  const config: Config = isOpen ? given : { ...given, gateway: { discover: false, ...given.gateway } };
  const runtime = new Runtime({
    home,
    config,
    waitsForAnswers: true,
    telemetry,
    ...(models === undefined ? {} : { models }),
  });
  const tokens = new TokenStore(openCells(home), options.now);
  const noted: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const keep = (fields: object, text: string) => {
    const line = JSON.stringify({ ...fields, text }, (_, value) =>
      value instanceof Error ? String(value) : value,
    );
    noted.push(line);
    for (const listener of listeners) listener(line);
  };
  const gateway = await startGateway({
    runtime,
    tokens,
    settings: settingsOf(config, {}, { port: "0" }),
    protocols,
    logger: options.notes ?? { info: keep, warn: keep, error: keep },
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.links === undefined
      ? {}
      : { links: { advertise: "http://127.0.0.1:0", version: "1.0.0", ...options.links } }),
    timing: { grace: 200, close: 200, ...options.timing },
  });
  const [read, chat, admin] = [
    tokens.issue("r", "read"),
    tokens.issue("c", "chat"),
    tokens.issue("a", "admin"),
  ];
  let closed: Promise<unknown> | undefined;
  const close = () => {
    closed ??= gateway.close();
    return closed;
  };
  const stop = async () => {
    await close();
    await runtime.close();
  };
  onTestFinished(stop);
  return {
    url: gateway.url,
    host: gateway.url.replace("http://", ""),
    home,
    runtime,
    tokens,
    read,
    chat,
    admin,
    noted,
    untilNoted: (words) =>
      new Promise((resolve) => {
        const look = (line: string) => {
          if (line.includes(words)) resolve(line);
        };
        listeners.add(look);
        noted.forEach(look);
      }),
    close,
    stop,
    fetch(path, { token = admin, headers, ...init } = {}) {
      const all = new Headers(headers);
      if (token !== null) all.set("authorization", `Bearer ${token}`);
      return fetch(`${gateway.url}${path}`, { ...init, headers: all });
    },
  };
}
