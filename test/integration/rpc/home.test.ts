import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { convert } from "../../../src/convert/index.js";
import { PeopleStore } from "../../../src/gateway/channels/people-store.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { openCells } from "../../../src/log/files/cells.js";
import { ChatPlatform } from "../../fakes/chat-platform.js";
import { testDesk } from "../../fakes/desk.js";
import { testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const sessionKey = "agent:main:main";

test("runs and what they wait for are listed, and the session list reports the question", async () => {
  const gateway = await testGateway([rpc], { config: { model: "demo/script" } });
  const [admin, reader] = [
    await RpcSocket.open(gateway.host, gateway.admin),
    await RpcSocket.open(gateway.host, gateway.read),
  ];
  expect(await reader.call("runs.list")).toEqual({ runs: [] });
  await reader.call("sessions.subscribe");
  await admin.call("sessions.create", { key: sessionKey });
  await admin.call("chat.subscribe", { sessionKey, asks: true });
  await admin.call("chat.send", { sessionKey, text: 'call: exec {"command":"true"}\n---\nsay: done' });
  const told = await reader.until(({ event, data }) => event === "session" && Object(data).asking === true);
  expect(told["data"]).toMatchObject({ session: { sessionKey }, busy: true, asking: true });
  const { runs } = await reader.call("runs.list");
  expect(runs).toMatchObject([
    {
      sessionKey,
      agent: "main",
      watchers: 1,
    },
  ]);
  const { permissions } = await reader.call("permission.list");
  expect(permissions).toMatchObject([
    { sessionKey, request: { subject: "true", toolCall: { name: "exec" } } },
  ]);
  const [{ id, request }] = permissions as [{ id: string; request: { id: string } }];
  expect(await reader.call("sessions.list")).toMatchObject({ busy: [id], asking: [id] });

  await admin.call("permission.answer", { sessionKey, id: request.id, answer: "never" });
  await reader.until(({ event, data }) => event === "session" && Object(data).busy === false);
  expect(await reader.call("sessions.list")).toMatchObject({ busy: [], asking: [] });
  expect(await reader.call("runs.list")).toEqual({ runs: [] });
});

test("people who wait on a channel are listed with their codes, approved and revoked", async () => {
  const home = temporaryFolder();
  const { desk } = testDesk(new ChatPlatform(), { home, settings: { direct: "pairing" } });
  const gateway = await testGateway([
    (parts) => {
      parts.channels = desk;
      return rpc(parts);
    },
  ]);
  const code = await new PeopleStore(openCells(home), "telegram", "default").requestCode(
    { id: "42", name: "Ann <b>" },
    "1",
  );
  const socket = await RpcSocket.open(gateway.host, gateway.admin);
  const before = await socket.call("channels.people");
  const here = { channel: "telegram", account: "default", id: "42", name: "Ann <b>" };
  const since = expect.any(Number);
  expect(before).toEqual({ requests: [{ ...here, code, since, expires: since }], approved: [] });
  const [{ since: asked, expires }] = before["requests"] as [{ since: number; expires: number }];
  expect(expires - asked).toBe(3_600_000);

  expect(await socket.call("channels.approve", { code, owner: true })).toEqual({
    ...here,
    owner: true,
    since,
  });
  expect(await socket.call("channels.people")).toEqual({
    requests: [],
    approved: [{ ...here, owner: true, since }],
  });
  const person = { channel: "telegram", account: "default", id: "42" };
  expect(await socket.call("channels.revoke", person)).toEqual({ revoked: true });
  expect(await socket.call("channels.revoke", person)).toEqual({ revoked: false });
  expect(await socket.call("channels.people")).toEqual({ requests: [], approved: [] });

  const limited = await gateway.tokens.create("limited", "admin", { agents: ["other"] });
  await new PeopleStore(openCells(home), "telegram", "default").requestCode({ id: "7" }, "2");
  const other = await RpcSocket.open(gateway.host, limited.secret);
  expect(await other.call("channels.people")).toEqual({ requests: [], approved: [] });
});

test("the owner lists, reads and searches sessions of other programs; other tokens do not", async () => {
  const folder = temporaryFolder();
  const id = "0f0d2f4e-1111-4222-8333-444455556666";
  const line = { role: "user", content: "Where is the lighthouse?", timestamp: 1_768_000_000_000 };
  const { output } = await convert(`${JSON.stringify(line)}\n`, { from: "openclaw", to: "claude-code" });
  mkdirSync(join(folder, "-home-ann-app"));
  writeFileSync(join(folder, "-home-ann-app", `${id}.jsonl`), output);
  const off = [
    "codex",
    "pi",
    "cline",
    "openclaw",
    "gemini-cli",
    "qwen-code",
    "opencode",
    "copilot-cli",
    "cursor",
  ];
  const sources = {
    ...Object.fromEntries(off.map((name) => [name, false as const])),
    "claude-code": { roots: [folder] },
    "the-team": { roots: [folder], dialect: "claude-code", files: "none/{id}.jsonl" },
  };
  const gateway = await testGateway([rpc], { config: { sources } });
  const admin = await RpcSocket.open(gateway.host, gateway.admin);
  await admin.call("sessions.create", { key: sessionKey, title: "Ours" });
  const all = await admin.call("sessions.list", { source: "all" });
  const named = (all["sessions"] as { id: string; source?: string }[]).map(({ source }) => source);
  expect(named.sort()).toEqual(["claude-code", undefined]);
  expect(await admin.call("sessions.list", {})).toMatchObject({ sessions: [{ title: "Ours" }] });
  expect(await admin.call("sessions.get", { sessionKey: id, source: "claude-code" })).toMatchObject({
    session: { id, source: "claude-code", foreign: true, title: "Where is the lighthouse?" },
  });
  expect(await admin.call("sources.list", {})).toEqual({
    sources: [
      { name: "claude-code", title: "Claude Code" },
      { name: "the-team", title: "the-team" },
    ],
  });
  const exported = await admin.call("sessions.export", { sessionKey: id, source: "claude-code" });
  expect(exported).toEqual({ dialect: "claude-code", text: output, losses: [], kinds: [] });
  expect(await admin.call("sessions.search", { query: "lighthouse", source: "all" })).toMatchObject({
    hits: [{ session: id, source: "claude-code", role: "user" }],
  });

  const reader = await RpcSocket.open(gateway.host, gateway.read);
  expect(await reader.call("sessions.list", { source: "all" })).toMatchObject({
    sessions: [{ title: "Ours" }],
  });
  await expect(reader.call("sessions.get", { sessionKey: id, source: "claude-code" })).rejects.toThrow(
    "log/no-source",
  );
});
