import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { convert } from "../../../src/convert/index.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { programs } from "../../../src/runtime/sources/programs.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const CLAUDE = "0f0d2f4e-1111-4222-8333-444455556666";
const DAY = 86_400_000;
const START = 1_768_000_000_000;

let folder: string;
let project: string;

beforeEach(() => {
  folder = temporaryFolder();
  project = temporaryFolder();
  vi.stubEnv("CLAUDE_CONFIG_DIR", join(folder, "claude"));
});
afterEach(() => vi.unstubAllEnvs());

async function claudeLines(...messages: object[]): Promise<string> {
  const header = { role: "session", id: CLAUDE, ext: { meta: { cwd: project } }, timestamp: START };
  const lines = [header, ...messages].map((line) => JSON.stringify(line)).join("\n");
  return (await convert(`${lines}\n`, { from: "openclaw", to: "claude-code" })).output;
}

const user = (content: string, timestamp = START) => ({ role: "user", content, timestamp });

/** A gateway with a session of Claude Code, one on Telegram and one of its own. */
async function gatewayWithSessions(): Promise<TestGateway> {
  const place = join(folder, "claude/projects/-work");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${CLAUDE}.jsonl`), await claudeLines(user("Where is the lighthouse?")));
  const off = Object.keys(programs).filter((name) => name !== "claude-code");
  const sources = Object.fromEntries(off.map((name) => [name, false as const]));
  const gateway = await testGateway([rpc], { config: { sources, agents: { main: {}, research: {} } } });
  const { log } = gateway.runtime;
  for (const [agent, key, text, time] of [
    ["research", "agent:research:telegram@work:dm:42", "a lighthouse on a phone", START + 2 * DAY],
    ["main", "agent:main:rpc:dm:telegram", "a lighthouse at home", START + 4 * DAY],
  ] as const) {
    const session = await log.create({ agent, key });
    await session.append([{ role: "user", content: text, timestamp: time }]);
    await session.close();
  }
  return gateway;
}

async function listed(socket: RpcSocket, params: object): Promise<{ id: string; title: string }[]> {
  const { sessions } = await socket.call("sessions.list", params);
  if (!Array.isArray(sessions)) throw new Error("no sessions");
  return sessions.map(({ id, title }) => ({ id, title }));
}

async function titles(socket: RpcSocket, params: object): Promise<string[]> {
  return (await listed(socket, { source: "all", ...params })).map(({ title }) => title);
}

test("sessions are listed and found by source, agent, channel, folder and time", async () => {
  const gateway = await gatewayWithSessions();
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  const [home, phone, claude] = [
    "a lighthouse at home",
    "a lighthouse on a phone",
    "Where is the lighthouse?",
  ];
  expect(await titles(admin, {})).toEqual([home, phone, claude]);
  expect(await titles(admin, { channel: "telegram" })).toEqual([phone]);
  expect(await titles(admin, { agent: "research" })).toEqual([phone]);
  expect(await titles(admin, { folder: project })).toEqual([claude]);
  expect(await titles(admin, { since: START + DAY, until: START + 3 * DAY })).toEqual([phone]);
  expect(await titles(admin, { source: "claude-code" })).toEqual([claude]);

  expect(await admin.call("sessions.filters")).toEqual({
    sources: [
      { name: "dragoman", sessions: 2 },
      { name: "claude-code", sessions: 1 },
    ],
    agents: [
      { name: "main", sessions: 1 },
      { name: "research", sessions: 1 },
    ],
    channels: [{ name: "telegram", sessions: 1 }],
    folders: [{ name: project, sessions: 1 }],
  });

  const search = { query: "lighthouse", source: "all" };
  expect(await admin.call("sessions.search", { ...search, limit: 2 })).toMatchObject({ total: 3 });
  expect(await admin.call("sessions.search", { ...search, channel: "telegram" })).toMatchObject({
    hits: [{ agent: "research" }],
    total: 1,
  });
  expect(await admin.call("sessions.search", { ...search, folder: project })).toMatchObject({
    hits: [{ session: CLAUDE, source: "claude-code" }],
    total: 1,
  });

  const reader = await RpcSocket.open(gateway.host, gateway.read);
  expect(await reader.call("sessions.filters")).toMatchObject({
    sources: [{ name: "dragoman", sessions: 2 }],
    folders: [],
  });
  await expect(reader.call("sessions.list", { folder: project })).rejects.toThrow("scope admin");
  await expect(reader.call("sessions.search", { query: "x", folder: project })).rejects.toThrow(
    "scope admin",
  );
});

test("a session is continued in another program, after a preview that writes nothing", async () => {
  const gateway = await gatewayWithSessions();
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  const { programs: offered } = await admin.call("programs.list");
  expect(offered).toContainEqual({ name: "claude-code", title: "Claude Code" });
  const [session] = await listed(admin, { channel: "telegram" });
  const wanted = { sessionKey: session?.id, program: "claude-code", folder: project };

  const preview = await admin.call("sessions.continue", { ...wanted, dryRun: true });
  expect(existsSync(String(preview["path"]))).toBe(false);
  const written = await admin.call("sessions.continue", wanted);
  expect(written).toMatchObject({ messages: 1, folder: project });
  expect(readFileSync(String(written["path"]), "utf8")).toContain("a lighthouse on a phone");
  expect(written["command"]).toBe(`cd ${project} && claude --resume ${written["session"]}`);

  const imported = await admin.call("sessions.continue", {
    sessionKey: CLAUDE,
    source: "claude-code",
    program: "dragoman",
  });
  expect(await admin.call("sessions.get", { sessionKey: imported["session"] })).toMatchObject({
    session: { foreign: false, title: "Where is the lighthouse?" },
  });

  await expect(admin.call("sessions.continue", { ...wanted, folder: "/nowhere" })).rejects.toThrow(
    "is not an existing folder",
  );
  await expect(admin.call("sessions.continue", { ...wanted, program: "rm" })).rejects.toThrow(
    "there is no program",
  );
  const limited = gateway.tokens.issue("limited", "admin", { agents: ["research"] });
  for (const token of [limited, gateway.chat]) {
    const other = await RpcSocket.open(gateway.host, token);
    await expect(other.call("sessions.continue", wanted)).rejects.toThrow("admin");
  }
});

test("another program's session is followed while the program writes it", async () => {
  const gateway = await gatewayWithSessions();
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  const opened = await admin.call("tail.open", { sessionKey: CLAUDE, source: "claude-code" });
  expect(opened).toMatchObject({
    messages: [{ message: { role: "user", content: "Where is the lighthouse?" }, continues: false }],
  });
  const { tail } = opened;
  expect(await admin.call("tail.next", { tail, timeoutMs: 0 })).toEqual({ messages: [] });
  const next = admin.call("tail.next", { tail });
  const whole = (await claudeLines(user("a"), user("On the hill", START + 1))).trim().split("\n");
  appendFileSync(join(folder, "claude/projects/-work", `${CLAUDE}.jsonl`), `${whole.at(-1)}\n`);
  expect(await next).toMatchObject({ messages: [{ message: { role: "user", content: "On the hill" } }] });
  expect(await admin.call("tail.close", { tail })).toEqual({ closed: true });
  await expect(admin.call("tail.next", { tail })).rejects.toThrow("there is no tail");

  const reader = await RpcSocket.open(gateway.host, gateway.read);
  await expect(reader.call("tail.open", { sessionKey: CLAUDE, source: "claude-code" })).rejects.toThrow(
    "there is no source",
  );
  await expect(reader.call("tail.open", { sessionKey: "agent:main:rpc:dm:telegram" })).rejects.toThrow(
    "chat.subscribe",
  );
});

test("forks with another model, and the places where forks differ", async () => {
  const gateway = await testGateway([rpc]);
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  const original = await gateway.runtime.log.create({ agent: "main" });
  const message = (id: string) => ({ role: "user" as const, content: id, timestamp: START, id });
  await original.append(["one", "two", "three"].map(message));
  await original.close();
  const fork = async (sessionKey: string, messageId: string, more = {}) =>
    String((await admin.call("sessions.fork", { sessionKey, messageId, ...more }))["id"]);
  const b = await fork(original.id, "one", { model: "demo/tools" });
  const c = await fork(b, "one");
  const d = await fork(original.id, original.id);
  expect(await admin.call("sessions.model", { sessionKey: b })).toMatchObject({ model: "demo/tools" });
  const branches = async (sessionKey: string) =>
    (await admin.call("sessions.branches", { sessionKey }))["branches"];
  const [later, first] = [{ after: "one", sessions: [original.id, b, c] }, { sessions: [original.id, d] }];
  expect(await branches(original.id)).toEqual(
    expect.arrayContaining([
      { ...later, current: 0 },
      { ...first, current: 0 },
    ]),
  );
  expect(await branches(c)).toContainEqual({ ...later, current: 2 });
  expect(await branches(d)).toContainEqual({ ...first, current: 1 });
});

test("what stored answers used is grouped, in days", async () => {
  const gateway = await testGateway([rpc]);
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  await admin.call("chat.send", { sessionKey: "agent:main:main", text: "two words" });
  await admin.until(({ event, data }) => event === "chat" && Object(data).state === "final");
  const { rows } = await admin.call("sessions.spending", { by: "model", since: Date.now() - DAY });
  expect(rows).toMatchObject([{ name: "demo/echo", sessions: 1, answers: 1 }]);
  expect(await admin.call("sessions.spending", { by: "day", until: Date.now() - DAY })).toEqual({ rows: [] });
  const reader = await RpcSocket.open(gateway.host, gateway.read);
  await expect(reader.call("sessions.spending", { by: "day" })).rejects.toThrow("admin");
});
