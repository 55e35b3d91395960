import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { type Finished, workspace } from "../support/cli/run-cli.js";

const { path, get, dragoman } = workspace();

function write(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
}

const key = "agent:main:telegram:dm:123456789";
const turns = [
  '{"role":"user","content":[{"type":"text","text":"My name is Ada."}],"timestamp":1734567890,"metadata":{"channel":"telegram","peerId":"123456789","messageId":"1"}}',
  '{"role":"assistant","content":[{"type":"text","text":"Hi Ada."}],"timestamp":1734567891}',
  "",
].join("\n");

function at(home: string, args: string[]): Promise<Finished> {
  return dragoman([...args, "--home", home], "", { TZ: "UTC", DRAGOMAN_MODEL: "demo/echo" });
}

test("the ids that `sessions list` prints are accepted by `sessions show` and `chat`", async () => {
  write(`openclaw/agents/main/sessions/${key}.jsonl`, turns);
  const [, row = ""] = (await at("openclaw", ["sessions", "list"])).stdout.split("\n");
  const [id = ""] = row.split(" ");
  const shown = await at("openclaw", ["sessions", "show", id]);
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain("My name is Ada.");
  const { code, stdout } = await at("openclaw", ["chat", "-p", "-s", id, "again"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "again\n" });
});

test("pipes and links among the files of a home are passed over", async () => {
  const messages = JSON.stringify({ version: 1, messages: [{ role: "user", content: "Hi." }] });
  write("cline/data/sessions/s1/s1.messages.json", messages);
  write("secret.json", messages);
  const pipes = [path("cline/data/sessions/s1/p.messages.json"), path("openclaw/agents/main/sessions")];
  mkdirSync(pipes[1] ?? "", { recursive: true });
  execFileSync("mkfifo", [pipes[0] ?? "", `${pipes[1]}/${key}.jsonl`]);
  symlinkSync(path("secret.json"), path("cline/data/sessions/s1/l.messages.json"));
  const { stdout } = await at("cline", ["sessions", "list"]);
  expect(stdout.trimEnd().split("\n")).toEqual([expect.any(String), expect.stringMatching(/^s1 /)]);
  expect(await at("openclaw", ["chat", "-p", "-s", key, "hello"])).toMatchObject({
    stderr: expect.any(String),
  });
}, 30_000);

test("chat continues an OpenClaw session in a copy, which the key names from then on", async () => {
  write(`openclaw/agents/main/sessions/${key}.jsonl`, turns);
  for (const words of ["one", "two"]) {
    expect(await at("openclaw", ["chat", "-p", "-s", key, words])).toMatchObject({ code: 0 });
  }
  const { stdout } = await at("openclaw", ["sessions", "show", key]);
  const said = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(said).toEqual(["  My name is Ada.", "  Hi Ada.", "  one", "  one", "  two", "  two"]);
  expect(stdout).toContain(`from ${key}.jsonl`);
  const original = await at("openclaw", ["sessions", "show", `${key}.jsonl`]);
  expect(original.stdout.split("\n").filter((line) => line.startsWith("  "))).toEqual([
    "  My name is Ada.",
    "  Hi Ada.",
  ]);
  expect((await at("openclaw", ["sessions", "list"])).stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(readFileSync(path(`openclaw/agents/main/sessions/${key}.jsonl`), "utf8")).toBe(turns);
});

test("a session that is named by an id is continued in one copy too", async () => {
  const id = "6f0d2f4e-2b1c-4d7e-9f00-000000000001";
  write(`openclaw/agents/main/sessions/${id}.jsonl`, turns);
  for (const words of ["one", "two"]) {
    expect(await at("openclaw", ["chat", "-p", "-s", id, words])).toMatchObject({ code: 0 });
  }
  const found = JSON.parse((await at("openclaw", ["sessions", "list", "--json"])).stdout);
  const copy = found.find(({ foreign }: { foreign: boolean }) => !foreign);
  expect(found).toHaveLength(2);
  expect(copy).toMatchObject({ parent: { session: id }, counts: { user: 3, assistant: 3 } });
});

const cline = (text: string, agent: string) =>
  JSON.stringify({
    version: 1,
    updated_at: "2026-01-05T09:00:02.000Z",
    agent,
    sessionId: "1767603600000_ab",
    messages: [
      { id: "m1", role: "user", content: [{ type: "text", text }] },
      {
        id: "m2",
        role: "assistant",
        content: [{ type: "text", text: "Done." }],
        ts: 1_767_603_602_000,
        modelInfo: { id: "claude-opus-4-6", provider: "anthropic" },
      },
    ],
  });

test.each(["data/sessions", "sessions"])(
  "a Cline home with %s is listed, shown, searched and exported",
  async (folder) => {
    const lead = `cline/${folder}/1767603600000_ab/1767603600000_ab.messages.json`;
    const helper = `cline/${folder}/1767603600000_ab/scout.messages.json`;
    write(lead, cline("Rename the function.", "lead"));
    write(helper, cline("Find its callers.", "subagent"));
    const listed = JSON.parse((await at("cline", ["sessions", "list", "--json"])).stdout);
    expect(listed.map(({ id, foreign }: { id: string; foreign: boolean }) => [id, foreign]).sort()).toEqual([
      ["1767603600000_ab", true],
      ["1767603600000_ab/scout", true],
    ]);
    const shown = await at("cline", ["sessions", "show", "1767603600000_ab"]);
    expect(shown.stdout.split("\n").filter((line) => line.startsWith("  "))).toEqual([
      "  Rename the function.",
      "  Done.",
    ]);
    expect((await at("cline", ["sessions", "search", "callers"])).stdout).toContain("1767603600000_ab/scout");
    await at("cline", ["sessions", "export", "1767603600000_ab/scout", "--to", "cline", "-o", "out.json"]);
    expect(JSON.parse(get("out.json"))).toEqual(JSON.parse(cline("Find its callers.", "subagent")));
    expect(get(lead)).toBe(cline("Rename the function.", "lead"));
  },
);

test.each([
  ["1767603600000_ab", "Rename the function."],
  ["1767603600000_ab/scout", "Find its callers."],
  ["17676036", "Rename the function."],
])("chat continues the Cline session %s in one copy", async (id, first) => {
  const lead = "cline/data/sessions/1767603600000_ab/1767603600000_ab.messages.json";
  write(lead, cline("Rename the function.", "lead"));
  if (id.includes("/")) {
    write("cline/data/sessions/1767603600000_ab/scout.messages.json", cline("Find its callers.", "subagent"));
  }
  for (const words of ["one", "two"]) {
    const { code, stdout } = await at("cline", ["chat", "-p", "-s", id, words]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${words}\n` });
  }
  const found = JSON.parse((await at("cline", ["sessions", "list", "--json"])).stdout);
  const copies = found.filter(({ foreign }: { foreign: boolean }) => !foreign);
  expect(copies).toHaveLength(1);
  const { stdout } = await at("cline", ["sessions", "show", copies[0].id]);
  expect(stdout.split("\n").filter((line) => line.startsWith("  "))).toEqual(
    [first, "Done.", "one", "one", "two", "two"].map((text) => `  ${text}`),
  );
  expect(get(lead)).toBe(cline("Rename the function.", "lead"));
});

test("`sessions` with options alone lists", async () => {
  write(`openclaw/agents/main/sessions/${key}.jsonl`, turns);
  const listed = await at("openclaw", ["sessions", "list"]);
  expect(await at("openclaw", ["sessions"])).toEqual(listed);
  expect(listed.stdout).toContain("My name is Ada.");
});
