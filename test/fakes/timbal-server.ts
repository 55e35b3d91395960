import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { type TimbalOptions, timbalProtocol } from "../../src/gateway/timbal/protocol.js";
import type { Limits } from "../../src/gateway/types.js";
import type { Config, RuntimeOptions } from "../../src/runtime/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type TestGateway, testGateway } from "./gateway.js";
import { TimbalClient } from "./timbal-client.js";

export const ID = "550e8400-e29b-41d4-a716-446655440000";
export const OTHER = "550e8400-e29b-41d4-a716-446655440001";

let home: string;

/** A home for each test: the servers that it starts one after the other have the same. */
export function eachTestHasAHome(): void {
  beforeEach(() => {
    home = temporaryFolder();
  });
}

export const homeOfTest = () => home;

interface ServeOptions extends TimbalOptions {
  models?: RuntimeOptions["models"];
  limits?: Partial<Limits>;
}

export function serve(
  config: Config = { model: "demo/script" },
  { models, limits, ...timbal }: ServeOptions = {},
): Promise<TestGateway> {
  return testGateway([(given) => timbalProtocol(given, timbal)], {
    home,
    config: { ...config, gateway: { ...config.gateway, limits: { requestsPerMinute: 10_000, ...limits } } },
    ...(models === undefined ? {} : { models }),
  });
}

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

export async function ask(
  server: TestGateway,
  path: string,
  method: string,
  body?: unknown,
  headers = {},
  token = server.chat,
): Promise<Reply> {
  const response = await server.fetch(path, {
    method,
    headers,
    token,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

export const thread = (id = ID) => `/v1/threads/${id}`;
export const create = (server: TestGateway, body: unknown = {}, id = ID) =>
  ask(server, thread(id), "POST", body);
export const say = (server: TestGateway, content: string, id = ID) =>
  ask(server, `${thread(id)}/messages`, "POST", { content });
/** Ends a thread, which needs the scope admin. */
export const end = (server: TestGateway, id = ID) =>
  ask(server, thread(id), "DELETE", undefined, {}, server.admin);
/** Whoever may only look can follow. */
export const followPath = (server: TestGateway, path: string) =>
  TimbalClient.open(`${server.url}${path}`, server.read);
export const follow = (server: TestGateway, id = ID) => followPath(server, `${thread(id)}/stream`);

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
