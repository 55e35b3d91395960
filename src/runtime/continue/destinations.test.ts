import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { load } from "../../convert/detect.js";
import type { Loss } from "../../core/types.js";
import type { Environment, ProgramName, Stored } from "./destination.js";
import { destinations } from "./destinations.js";

const at = folderForEachTest();

const UUID = "0b5e7c1a-3f7d-4d0e-9a6b-2f4c8d1e6a90";

const conversation = [
  '{"role":"user","content":"List files","timestamp":1772442000000,"id":"01"}',
  '{"role":"assistant","content":[{"type":"text","text":"None."}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":2,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop","timestamp":1772442001000,"id":"02"}',
  "",
].join("\n");

interface Given {
  text?: string;
  dialect?: string;
  folder?: string;
  env?: Environment;
  dryRun?: boolean;
}

async function store(
  name: ProgramName,
  {
    text = conversation,
    dialect = "openclaw",
    folder = "/home/ann/My Proj_1",
    env = {},
    dryRun = false,
  }: Given = {},
): Promise<Stored & { losses: Loss[] }> {
  const losses: Loss[] = [];
  const open = async function* () {
    yield Buffer.from(text);
  };
  const stored = await destinations[name].store(
    { open, dialect: await load(dialect) },
    {
      folder,
      userHome: at("ann"),
      home: at("home"),
      env,
      now: new Date(2026, 2, 2, 9, 5, 7),
      uuid: UUID,
      dryRun,
      onLoss: (loss) => losses.push(loss),
    },
  );
  return { ...stored, losses };
}

const utc = new Date(2026, 2, 2, 9, 5, 7).toISOString().replace(/[:.]/g, "-");

/** Where each program looks for the session of a folder, how it is opened, and where the file has the id and the folder. */
interface Expected {
  root: string;
  file: string;
  session?: string;
  commands(path: string): string[][];
  first: object;
}

const SES = "ses_0b5e7c1a3f7d4d0e9a6b2f4c8d1e6a90";

const files: [ProgramName, Expected][] = [
  [
    "claude-code",
    {
      root: "ann/.claude/projects",
      file: `-home-ann-My-Proj-1/${UUID}.jsonl`,
      commands: () => [["claude", "--resume", UUID]],
      first: { sessionId: UUID, cwd: "/home/ann/My Proj_1", type: "user", parentUuid: null },
    },
  ],
  [
    "codex",
    {
      root: "ann/.codex/sessions",
      file: `2026/03/02/rollout-2026-03-02T09-05-07-${UUID}.jsonl`,
      commands: () => [["codex", "resume", UUID]],
      first: { type: "session_meta", payload: { id: UUID, cwd: "/home/ann/My Proj_1" } },
    },
  ],
  [
    "opencode",
    {
      root: "home/continued",
      file: `${SES}.json`,
      session: SES,
      commands: (path) => [
        ["opencode", "import", path],
        ["opencode", "--session", SES],
      ],
      first: { info: { id: SES, directory: "/home/ann/My Proj_1" } },
    },
  ],
  [
    "gemini-cli",
    {
      root: "ann/.gemini/tmp",
      // The SHA-256 of the folder.
      file: `695238d90db6f582dd7140d7fdbc6df60acf6961a270f6b1eeb0775ebf9f7021/chats/session-${utc.slice(0, 16)}-0b5e7c1a.jsonl`,
      commands: () => [["gemini", "--resume", UUID]],
      first: { sessionId: UUID, kind: "main" },
    },
  ],
  [
    "qwen-code",
    {
      root: "ann/.qwen/projects",
      file: `-home-ann-My-Proj-1/chats/${UUID}.jsonl`,
      commands: () => [["qwen", "--resume", UUID]],
      first: { sessionId: UUID, cwd: "/home/ann/My Proj_1", type: "user", parentUuid: null },
    },
  ],
  [
    "pi",
    {
      root: "ann/.pi/agent/sessions",
      file: `--home-ann-My Proj_1--/${utc}_${UUID}.jsonl`,
      commands: () => [["pi", "--session", UUID]],
      first: { type: "session", id: UUID, cwd: "/home/ann/My Proj_1" },
    },
  ],
];

/** The first line, or the document. */
function firstRecord(text: string): unknown {
  return JSON.parse(text.startsWith("{\n") ? text : (text.split("\n")[0] ?? ""));
}

describe.each(files)("%s", (name, { root, file, session = UUID, commands, first }) => {
  const path = () => at(root, file);

  test("the session is a new file of its owner, where the program looks for it", async () => {
    const { losses: _, ...stored } = await store(name);
    expect(stored).toEqual({ session, path: path(), messages: 2, commands: commands(path()) });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path())).mode & 0o777).toBe(0o700);
    expect(firstRecord(readFileSync(path(), "utf8"))).toMatchObject(first);
    expect(readdirSync(dirname(path()))).toHaveLength(1);
  });

  test("an existing file stays as it is", async () => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), "mine");
    await expect(store(name)).rejects.toMatchObject({ code: "continue/exists" });
    expect(readFileSync(path(), "utf8")).toBe("mine");
    expect(readdirSync(dirname(path()))).toHaveLength(1);
  });

  test("a dry run and an unreadable source write nothing", async () => {
    expect(await store(name, { dryRun: true })).toMatchObject({ messages: 2, path: path() });
    await expect(store(name, { text: `${conversation}{"role":` })).rejects.toMatchObject({
      code: "json/syntax",
    });
    expect(
      readdirSync(at(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    ).toEqual([]);
  });

  test.each(["/", "/..", "/a/../../..", "/a\n/b", "/~/$(x)", "/\u202e/\u0000"])(
    "a folder called %j is a name below the program's folder",
    async (folder) => {
      const { path: written = "" } = await store(name, { folder, dryRun: true });
      expect(relative(at(root), written)).toMatch(/^[^.]/);
      expect(relative(at(root), written).split("/")).toHaveLength(file.split("/").length);
    },
  );
});

test("Gemini CLI's own name of a project is used, unless it is not a name", async () => {
  const list = (name: string) => JSON.stringify({ projects: { "/w": name } });
  mkdirSync(at("ann/.gemini"), { recursive: true });
  writeFileSync(at("ann/.gemini/projects.json"), list("my-app"));
  const { path } = await store("gemini-cli", { folder: "/w", dryRun: true });
  expect(path).toBe(at(`ann/.gemini/tmp/my-app/chats/session-${utc.slice(0, 16)}-0b5e7c1a.jsonl`));
  for (const text of [list("../../x"), "{", "[]"]) {
    writeFileSync(at("ann/.gemini/projects.json"), text);
    const other = await store("gemini-cli", { folder: "/w", dryRun: true });
    expect(other.path).toMatch(/\/tmp\/[0-9a-f]{64}\/chats\//);
  }
});

test("Gemini CLI's own sessions are written anew, without times at which it would delete them", async () => {
  const header = {
    sessionId: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
    projectHash: "a",
    lastUpdated: "2020-01-01T00:00:00.000Z",
  };
  const user = { id: "u1", timestamp: "2020-01-01T00:00:00.000Z", type: "user", content: "Hi" };
  const lines = [
    header,
    { $set: { lastUpdated: "2020-01-02T00:00:00.000Z" } },
    user,
    { ...header, kind: "main" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { path = "", losses } = await store("gemini-cli", { text, dialect: "gemini-cli" });
  const written = readFileSync(path, "utf8");
  expect(written).toContain('"content":"Hi"');
  expect(written).toContain(UUID);
  expect(written).not.toMatch(/lastUpdated|7d1f0c52/);
  expect(losses.filter(({ severity }) => severity === "dropped")).not.toEqual([]);
});

test("opencode gets ids that no other session has", async () => {
  const text = conversation.replace('"id":"01"', '"id":"msg_01"');
  const { path = "" } = await store("opencode", { text });
  const { messages } = JSON.parse(readFileSync(path, "utf8"));
  const ids = messages.map(({ info }: { info: { id: string } }) => info.id);
  expect(ids).toEqual([
    expect.stringMatching(/^msg_[0-9a-f]{26}$/),
    expect.stringMatching(/^msg_[0-9a-f]{26}$/),
  ]);
});

test.each<ProgramName>(["codex", "opencode", "qwen-code"])(
  "%s gets ids of calls that its model accepts",
  async (name) => {
    const id = `run_shell_command_${"7".repeat(40)}`;
    const call = `{"type":"toolCall","id":"${id}","name":"ls","arguments":{}}`;
    const result = `{"role":"toolResult","toolCallId":"${id}","toolName":"ls","content":[],"isError":false,"timestamp":1772442002000}\n`;
    const text = `${conversation.replace('{"type":"text","text":"None."}', call)}${result}`;
    const { path = "", losses } = await store(name, { text });
    const written = readFileSync(path, "utf8");
    expect(written).not.toContain(id);
    expect(written).toContain("call_88412f3669535790b04ae5bc668f3cc7");
    expect(losses.filter(({ what }) => what === "the id of a call")).toHaveLength(2);
  },
);

test("Codex gets no thinking of another API, which its model would refuse", async () => {
  const thought = '{"type":"thinking","thinking":"Look.","thinkingSignature":"c2ln"},{"type":"text"';
  const text = conversation.replace('{"type":"text"', thought);
  const { path = "", losses } = await store("codex", { text });
  expect(readFileSync(path, "utf8")).not.toContain("Look.");
  expect(losses.filter(({ what }) => what === "thinking")).toEqual([
    {
      at: "",
      what: "thinking",
      why: "the program sends it to its model, which accepts only its own",
      severity: "dropped",
      of: "content",
    },
  ]);
  const own = text.replace('"api":"anthropic-messages"', '"api":"openai-responses"');
  expect((await store("codex", { text: own, dryRun: true })).losses.map(({ what }) => what)).not.toContain(
    "thinking",
  );
});

test("the program's own variable names its folder", async () => {
  const { path } = await store("claude-code", { env: { CLAUDE_CONFIG_DIR: at("elsewhere") } });
  expect(path).toBe(at("elsewhere", `projects/-home-ann-My-Proj-1/${UUID}.jsonl`));
});

test("a long folder has a shortened name with a hash, as Claude Code names it", async () => {
  const folder = `/tmp/dragoman-judge-Vao1kF/project/${"a_b".repeat(30)}/${"ç.d e".repeat(15)}/tail`;
  const { path = "" } = await store("claude-code", { folder, dryRun: true });
  expect(path.split("/").at(-2)).toBe(
    `-tmp-dragoman-judge-Vao1kF-project-${"a-b".repeat(30)}-${"--d-e".repeat(14)}--d--rzl6zw`,
  );
});

test("a session of the same program gets a new id and folder, and keeps its messages", async () => {
  const line = (uuid: string, parentUuid: string | null, text: string) =>
    JSON.stringify({
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd: "/old",
      sessionId: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
      version: "2.0.1",
      gitBranch: "main",
      type: "user",
      message: { role: "user", content: text },
      uuid,
      timestamp: "2026-03-02T09:00:01.000Z",
    });
  const [one, two] = ["00000001-0000-4000-8000-000000000001", "00000002-0000-4000-8000-000000000002"];
  const text = `${line(one, null, "a")}\n${line(two, one, "b")}\n`;
  const { path = "", losses } = await store("claude-code", { text, dialect: "claude-code", folder: "/new" });
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((one) => JSON.parse(one))).toMatchObject([
    { uuid: one, parentUuid: null, sessionId: UUID, cwd: "/new", message: { content: "a" } },
    { uuid: two, parentUuid: one, sessionId: UUID, cwd: "/new", message: { content: "b" } },
  ]);
  expect(losses).toEqual([
    {
      at: "",
      what: "ext.claude-code",
      why: "the session that continues it is a new one",
      severity: "dropped",
    },
  ]);
});

test("settings before the first message do not separate it from its session", async () => {
  const stamp = { timestamp: "2026-05-12T01:02:27.667Z" };
  const text = [
    { type: "session", version: 3, id: "019e19b4-eb48-746a-aa6b-8dfcfa37954b", cwd: "/old", ...stamp },
    { type: "model_change", id: "f7c7091e", parentId: null, provider: "p", modelId: "m", ...stamp },
    { type: "thinking_level_change", id: "3a59c5dd", parentId: "f7c7091e", thinkingLevel: "off", ...stamp },
    {
      type: "message",
      id: "30c6a75f",
      parentId: "3a59c5dd",
      message: { role: "user", content: "a", timestamp: 1778547747673 },
      ...stamp,
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  const { path = "" } = await store("claude-code", { text, dialect: "pi", folder: "/new" });
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    type: "user",
    sessionId: UUID,
    cwd: "/new",
    message: { role: "user", content: "a" },
  });
});

test("lines of an answer with the same time get different ones: Claude Code before 2.1 opens the first of the newest", async () => {
  const [user, first, second] = [1, 2, 3].map((n) => `0000000${n}-0000-4000-8000-000000000001`);
  const line = (uuid: unknown, parentUuid: unknown, time: string, more: object) =>
    JSON.stringify({
      parentUuid,
      uuid,
      sessionId: UUID,
      cwd: "/x",
      version: "2.1.325",
      timestamp: time,
      ...more,
    });
  const answer = (block: object) => ({
    type: "assistant",
    message: { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-4-6", content: [block] },
  });
  const text = [
    line(user, null, "2026-03-02T09:00:01.000Z", { type: "user", message: { role: "user", content: "a" } }),
    line(
      first,
      user,
      "2026-03-02T09:00:02.000Z",
      answer({ type: "thinking", thinking: "t", signature: "s" }),
    ),
    line(second, first, "2026-03-02T09:00:02.000Z", answer({ type: "text", text: "b" })),
    "",
  ].join("\n");
  const { path = "", losses } = await store("claude-code", { text, dialect: "claude-code", folder: "/x" });
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((one) => JSON.parse(one))).toMatchObject([
    { uuid: user, timestamp: "2026-03-02T09:00:01.000Z" },
    { uuid: first, timestamp: "2026-03-02T09:00:02.000Z" },
    { uuid: second, timestamp: "2026-03-02T09:00:02.001Z" },
  ]);
  expect(losses).toContainEqual({
    at: "",
    what: "the time of an answer's line",
    why: "earlier versions of the program need a later time than that of the line before",
    severity: "approximated",
  });
});

describe("dragoman", () => {
  test("the session is stored in our log, and named by the chat command", async () => {
    const { session, messages, commands } = await store("dragoman");
    expect(messages).toBe(2);
    expect(commands).toEqual([["dragoman", "chat", "--session", session, "--home", at("home")]]);
    const text = readFileSync(at("home", "agents/main/sessions", `${session}.jsonl`), "utf8");
    expect(text).toContain('"content":"List files"');
  });

  test("a dry run stores nothing", async () => {
    expect(await store("dragoman", { dryRun: true })).toMatchObject({ messages: 2, commands: [] });
    expect(readdirSync(at())).toEqual([]);
  });
});
