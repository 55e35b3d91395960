import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { mcpProtocol } from "../../../src/gateway/mcp/protocol.js";
import type { Config } from "../../../src/runtime/schema.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { callMcpTool, type McpPost } from "../../fakes/mcp-http.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const PI_ID = "3f2a9c1e-1111-4222-8333-444455556666";
/** A session of pi in which a port was decided. */
const piLines = [
  `{"type":"session","version":3,"id":"${PI_ID}","timestamp":"2026-01-15T09:30:00.000Z","cwd":"/home/ann/app"}`,
  '{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-15T09:30:01.000Z","message":{"role":"user","content":[{"type":"text","text":"Which port shall the heron service use?"}],"timestamp":1768469401000}}',
  '{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-01-15T09:30:02.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"Ports below 1024 need root."},{"type":"text","text":"We decided: the heron service uses port 4817."}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":2,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop","timestamp":1768469402000}}',
  "",
].join("\n");

let gateway: TestGateway;
let own: string;

/** Only pi's folder: what is on the computer that runs the test does not matter. */
function sourcesIn(roots: string): Config {
  const names = [
    "claude-code",
    "codex",
    "gemini-cli",
    "qwen-code",
    "copilot-cli",
    "cursor",
    "opencode",
    "cline",
    "openclaw",
  ];
  return { sources: { ...Object.fromEntries(names.map((name) => [name, false])), pi: { roots: [roots] } } };
}

beforeEach(async () => {
  const roots = temporaryFolder();
  mkdirSync(join(roots, "app"));
  writeFileSync(join(roots, "app", `2026-01-15T09-30-00-000Z_${PI_ID}.jsonl`), piLines);
  gateway = await testGateway([mcpProtocol], {
    config: { ...sourcesIn(roots), agents: { other: { model: "demo/echo" } } },
  });
  const { session } = await gateway.runtime.begin({ agent: "main", title: "Herons" });
  own = session.id;
  await session.append([
    { role: "user", content: "Where do herons nest?", timestamp: 1_768_500_000_000 },
    { role: "user", content: `${"long ".repeat(10_000)}🦆 end`, timestamp: 1_768_500_001_000 },
    { role: "user", content: "last", timestamp: 1_768_500_002_000 },
  ]);
});

async function call(name: string, args: Record<string, unknown>, post?: McpPost) {
  const result = await callMcpTool(gateway, name, args, post);
  const [{ text }] = result["content"] as [{ text: string }];
  return { text, details: result["structuredContent"] as Record<string, string>, isError: result["isError"] };
}

test("a search finds what was decided in another program, and reading it begins at the match", async () => {
  const { text, details } = await call("sessions_search", { query: "heron port decided" });
  expect(details).toEqual({
    hits: [
      {
        session: PI_ID,
        source: "pi",
        title: "Which port shall the heron service use?",
        folder: "/home/ann/app",
        position: 2,
        role: "assistant",
        time: "2026-01-15T09:30:02.000Z",
        snippet: "We «decided»: the «heron» service uses «port» 4817.",
      },
    ],
    ignored: [],
  });
  expect(text).toContain(`${PI_ID} (pi)`);
  const read = await call("sessions_read", { session: PI_ID, position: 2 });
  expect(read.details["messages"]).toEqual([
    {
      position: 2,
      role: "assistant",
      text: expect.stringContaining("We decided: the heron service uses port 4817."),
    },
  ]);
  expect(read.text).not.toContain("below 1024");
  const thinking = await call("sessions_read", { session: PI_ID, position: 2, thinking: true });
  expect(thinking.text).toContain("Ports below 1024 need root.");
});

test("a search is paged, and limited by source and time", async () => {
  const first = await call("sessions_search", { query: "heron*", limit: 1 });
  expect(first.details).toMatchObject({ hits: [{}], next: 1 });
  const second = await call("sessions_search", { query: "heron*", limit: 2, offset: 1 });
  expect(second.details["hits"]).toHaveLength(2);
  expect(second.details).not.toHaveProperty("next");
  const mine = await call("sessions_search", { query: "heron", source: "dragoman" });
  expect(mine.details).toMatchObject({ hits: [{ session: own, source: "dragoman", title: "Herons" }] });
  const early = await call("sessions_search", { query: "heron", until: "2026-01-15", source: "pi" });
  expect(early.details["hits"]).toHaveLength(2);
  const late = await call("sessions_search", { query: "heron", since: "2026-01-16" });
  expect(late).toMatchObject({ text: "no matches", details: { hits: [] } });
});

test("sessions are listed newest first, page by page", async () => {
  const first = await call("sessions_list", { limit: 1 });
  expect(first.details).toMatchObject({
    sessions: [{ session: own, source: "dragoman", messages: 3 }],
    next: own,
  });
  const second = await call("sessions_list", { limit: 1, before: own });
  expect(second.details).toEqual({
    sessions: [
      {
        session: PI_ID,
        source: "pi",
        agent: "main",
        title: "Which port shall the heron service use?",
        folder: "/home/ann/app",
        active: "2026-01-15T09:30:02.000Z",
        messages: 2,
      },
    ],
  });
});

test("pages of a session join to all of it, also within a long message", async () => {
  const parts: string[] = [];
  let next: { position: number; offset: number } | undefined = { position: 0, offset: 0 };
  let pages = 0;
  while (next !== undefined) {
    const page = await call("sessions_read", { session: own, ...next });
    const { messages, next: after } = page.details as object as {
      messages: { text: string }[];
      next?: { position: number; offset: number };
    };
    parts.push(...messages.map(({ text }) => text));
    next = after;
    pages += 1;
  }
  expect(pages).toBe(4);
  const all = parts.join("");
  expect(all).toContain("Where do herons nest?");
  expect(all).toContain("long ".repeat(10_000));
  expect(all).toContain("🦆 end");
  expect(all).toContain("last");
});

test("a session is converted with its losses, and checked for an API", async () => {
  const { details, text } = await call("convert", { session: PI_ID, to: "openai-chat" });
  expect(details).toMatchObject({ from: "pi", to: "openai-chat" });
  expect(JSON.parse(String(details["text"]))).toMatchObject({
    messages: [{ role: "user", content: "Which port shall the heron service use?" }, { role: "assistant" }],
  });
  expect(text).toContain(`[${details["lossCount"]} losses]`);
  expect((await call("check", { session: PI_ID, for: "anthropic" })).details).toMatchObject({
    dialect: "pi",
    total: 1,
    problems: [{ code: "anthropic/unsigned-thinking", line: 3 }],
  });
});

test("a text is converted and checked as well", async () => {
  const text =
    '{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],"isError":false,"timestamp":1768469400000}\n';
  const { details } = await call("check", { text, from: "openclaw" });
  expect(details).toMatchObject({ dialect: "openclaw", problems: [{ severity: "error", line: 1 }] });
  const markdown = await call("convert", {
    text: '{"role":"user","content":"Hi","timestamp":1768469400000}\n',
    from: "openclaw",
    to: "markdown",
  });
  expect(markdown.details["text"]).toContain("## User");
});

test.each([
  ["sessions_read", { session: "nope" }, 'there is no session "nope"'],
  ["sessions_list", { source: "nope" }, "the sources are all, dragoman, pi"],
  ["sessions_search", { query: "x", since: "soon" }, "use ISO 8601"],
  ["convert", { text: "x", to: "markdown" }, "the input matches no dialect"],
  ["convert", { to: "markdown" }, "pass either `session` or `text`"],
  ["convert", { session: PI_ID, to: "nope" }, "nope"],
  ["check", { session: PI_ID, for: "nope" }, "use anthropic"],
])("%s with %j fails with words for the model", async (name, args, expected) => {
  const { isError, text } = await call(name, args);
  expect(isError).toBe(true);
  expect(text).toContain(expected);
});

test.each(["read", "chat"] as const)(
  "a token with scope %s sees no sessions of other programs",
  async (scope) => {
    const token = gateway.tokens.issue("other", scope);
    const { details } = await call("sessions_list", {}, { token });
    expect(details["sessions"]).toEqual([expect.objectContaining({ session: own, source: "dragoman" })]);
    expect(await call("sessions_read", { session: PI_ID }, { token })).toMatchObject({
      isError: true,
      text: expect.stringContaining("there is no session"),
    });
  },
);

test("a token for one agent sees neither other agents' sessions nor those of other programs", async () => {
  const token = gateway.tokens.issue("other", "read", { agents: ["other"] });
  expect((await call("sessions_list", {}, { token })).details["sessions"]).toEqual([]);
  expect((await call("sessions_search", { query: "heron" }, { token })).details["hits"]).toEqual([]);
  for (const session of [own, PI_ID]) {
    const { isError, text } = await call("sessions_read", { session }, { token });
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining("there is no session"),
    });
  }
  expect(await call("sessions_list", { source: "pi" }, { token })).toMatchObject({ isError: true });
});
