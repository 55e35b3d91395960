import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type TimbalOptions, timbalProtocol } from "../../src/gateway/timbal/protocol.js";
import type { Limits } from "../../src/gateway/types.js";
import { type Config, Runtime, type RuntimeOptions } from "../../src/runtime/index.js";
import { type BareGateway, startBareGateway } from "./bare-gateway.js";
import { TimbalClient } from "./timbal-client.js";

export const ID = "550e8400-e29b-41d4-a716-446655440000";
export const OTHER = "550e8400-e29b-41d4-a716-446655440001";

let home: string;
let stops: (() => Promise<void>)[] = [];

/** A home for each test, and nothing left of it afterwards. */
export function eachTestHasAHome(): void {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "dragoman-timbal-"));
  });
  afterEach(async () => {
    for (const stop of stops.reverse()) await stop();
    stops = [];
    await rm(home, { recursive: true, force: true });
  });
}

export const homeOfTest = () => home;

export interface TimbalServer extends BareGateway {
  runtime: Runtime;
  stop(): Promise<void>;
}

interface ServeOptions extends TimbalOptions {
  models?: RuntimeOptions["models"];
  limits?: Partial<Limits>;
}

export async function serve(
  config: Config = { model: "demo/script" },
  { models, limits, ...timbal }: ServeOptions = {},
): Promise<TimbalServer> {
  const runtime = new Runtime({ home, config, ...(models === undefined ? {} : { models }) });
  const gateway = await startBareGateway(runtime, [(given) => timbalProtocol(given, timbal)], limits);
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await gateway.close();
    await runtime.close();
  };
  stops.push(stop);
  return { ...gateway, runtime, stop };
}

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

export async function ask(url: string, method: string, body?: unknown, headers = {}): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

export const thread = ({ url }: TimbalServer, id = ID) => `${url}/v1/threads/${id}`;
export const create = (server: TimbalServer, body: unknown = {}, id = ID) =>
  ask(thread(server, id), "POST", body);
export const say = (server: TimbalServer, content: string, id = ID) =>
  ask(`${thread(server, id)}/messages`, "POST", { content });
export const follow = (server: TimbalServer, id = ID) => TimbalClient.open(`${thread(server, id)}/stream`);

/** Fulfilled when so many runs are over: each takes its status back. */
export function rested(client: TimbalClient, runs = 1, stream?: string): Promise<void> {
  return client.until(({ frames }) => frames.filter(({ v, s }) => v === null && s === stream).length >= runs);
}

/** The text of the only session. */
export async function sessionText(): Promise<string> {
  const folder = join(home, "agents", "main", "sessions");
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".jsonl"));
  return readFile(join(folder, name), "utf8");
}
