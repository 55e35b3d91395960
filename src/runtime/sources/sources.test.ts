import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Config } from "../schema.js";
import { expandFolder } from "./expand-folder.js";
import { programs } from "./programs.js";
import { filesNamed, sourcesOf } from "./sources.js";

/** A session file of each program below the user's home, as the program names it, and the session's id. */
const files: Record<string, readonly [path: string, id: string]> = {
  "claude-code": [
    ".claude/projects/-home-ann-app/0f0d2f4e-1111-4222-8333-444455556666.jsonl",
    "0f0d2f4e-1111-4222-8333-444455556666",
  ],
  codex: [
    ".codex/sessions/2026/01/15/rollout-2026-01-15T09-30-00-5a1c7d2e-1111-4222-8333-444455556666.jsonl",
    "5a1c7d2e-1111-4222-8333-444455556666",
  ],
  opencode: [".local/share/opencode/storage/session/global/ses_3f1a.json", "ses_3f1a"],
  "gemini-cli": [
    ".gemini/tmp/app/chats/session-2026-01-15T09-30-9b2d4f6a.jsonl",
    "session-2026-01-15T09-30-9b2d4f6a.jsonl",
  ],
  "qwen-code": [
    ".qwen/projects/-home-ann-app/chats/6e3b8c0d-1111-4222-8333-444455556666.jsonl",
    "6e3b8c0d-1111-4222-8333-444455556666",
  ],
  "copilot-cli": [".copilot/session-state/5b2d/events.jsonl", "5b2d"],
  cursor: [".cursor/projects/app/agent-transcripts/77aa/77aa.jsonl", "77aa"],
  cline: [".cline/data/sessions/1768469400_ab/1768469400_ab.messages.json", "1768469400_ab"],
  pi: [
    ".pi/agent/sessions/--home-ann-app--/2026-01-15T09-30-00-000Z_3f2a9c1e-1111-4222-8333-444455556666.jsonl",
    "3f2a9c1e-1111-4222-8333-444455556666",
  ],
  openclaw: [
    ".openclaw/agents/main/sessions/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  ],
};

/** The roots of a program in another home folder. */
function rootsIn(home: string, name: string): string[] {
  return (programs[name]?.roots ?? []).map((root) => expandFolder(root, {}, home));
}

function inHome(home: string): Config {
  const names = Object.keys(programs);
  return { sources: Object.fromEntries(names.map((name) => [name, { roots: rootsIn(home, name) }])) };
}

function fail(note: string): never {
  throw new Error(note);
}

function write(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
}

test("each program's session files are found where the program keeps them", async () => {
  const home = temporaryFolder();
  for (const [path] of Object.values(files)) write(join(home, path));
  const found: Record<string, [string, string][]> = {};
  for (const source of sourcesOf(inHome(home), {}, fail)) {
    found[source.name] = [];
    for await (const { path, id } of source.sessions()) found[source.name]?.push([path, id]);
  }
  expect(Object.keys(files).sort()).toEqual(Object.keys(programs).sort());
  for (const [name, [path, id]] of Object.entries(files))
    expect(found[name]).toEqual([[join(home, path), id]]);
});

test("a folder can be moved by an environment variable", () => {
  const root = `\${CLAUDE_CONFIG_DIR:-~/.claude}/projects`;
  expect(expandFolder(root, {}, "/home/ann")).toBe("/home/ann/.claude/projects");
  expect(expandFolder(root, { CLAUDE_CONFIG_DIR: "" }, "/home/ann")).toBe("/home/ann/.claude/projects");
  expect(expandFolder(root, { CLAUDE_CONFIG_DIR: "/data/c" }, "/home/ann")).toBe("/data/c/projects");
  expect(expandFolder(root, { CLAUDE_CONFIG_DIR: "~/c" }, "/home/ann")).toBe("/home/ann/c/projects");
  const [qwen = ""] = programs["qwen-code"]?.roots ?? [];
  expect(expandFolder(qwen, {}, "/home/ann")).toBe("/home/ann/.qwen/projects");
  expect(expandFolder(qwen, { QWEN_HOME: "~/q" }, "/home/ann")).toBe("/home/ann/q/projects");
  const both = { QWEN_HOME: "~/q", QWEN_RUNTIME_DIR: "/data/q" };
  expect(expandFolder(qwen, both, "/home/ann")).toBe("/data/q/projects");
  expect(expandFolder("~someone/x", {}, "/home/ann")).not.toContain("/home/ann");
});

test("archived sessions of Qwen Code and sub-agents of Gemini CLI and Cursor are found", async () => {
  const home = temporaryFolder();
  const paths = [
    ".qwen/projects/-app/chats/archive/6e3b.jsonl",
    ".gemini/tmp/app/chats/9b2d4f6a/agent-1.jsonl",
    ".cursor/projects/app/agent-transcripts/77aa/subagents/88bb.jsonl",
  ];
  for (const path of paths) write(join(home, path));
  const found: string[] = [];
  for (const source of sourcesOf(inHome(home), {}, fail)) {
    for await (const { path } of source.sessions()) found.push(path.slice(home.length + 1));
  }
  expect(found.sort()).toEqual(paths.toSorted());
});

test("a source can be turned off, moved, and added", async () => {
  const folder = temporaryFolder();
  write(join(folder, "slug/0f0d2f4e-1111-4222-8333-444455556666.jsonl"));
  write(join(folder, "slug/agent-7.jsonl"));
  const config: Config = {
    sources: {
      cline: false,
      laptop: { dialect: "claude-code", roots: [folder] },
      notes: { roots: [folder], files: "*/agent-{id}.jsonl" },
    },
  };
  const sources = sourcesOf(config, {}, fail);
  expect(sources.map(({ name }) => name)).toEqual([
    "claude-code",
    "codex",
    "opencode",
    "gemini-cli",
    "qwen-code",
    "copilot-cli",
    "cursor",
    "pi",
    "openclaw",
    "laptop",
    "notes",
  ]);
  const ids: Record<string, string[]> = {};
  for (const source of sources.slice(-2)) {
    for await (const { id } of source.sessions()) ids[source.name] = [...(ids[source.name] ?? []), id];
  }
  expect(ids).toEqual({ laptop: ["0f0d2f4e-1111-4222-8333-444455556666"], notes: ["7"] });
});

test.each([
  ["dragoman", { roots: ["/x"] }, "it is the name of the home's own sessions"],
  ["laptop", {}, "it has no `roots`"],
  ["laptop", { roots: ["/x"], dialect: "claud" }, 'unknown dialect "claud"'],
])("a wrong source %s %j is refused", (name, setting, problem) => {
  expect(() => sourcesOf({ sources: { [name]: setting } }, {}, fail)).toThrow(
    expect.objectContaining({
      code: "config/invalid",
      at: `/sources/${name}`,
      message: `sources.${name}: ${problem}`,
    }),
  );
});

test("of several files of one session in a source, the latest is found", async () => {
  const folder = temporaryFolder();
  for (const [name, day] of [
    ["a-x", "02"],
    ["b-x", "03"],
    ["c-x", "01"],
  ] as const) {
    const time = new Date(`2026-01-${day}T00:00:00Z`);
    write(join(folder, `${name}.jsonl`));
    utimesSync(join(folder, `${name}.jsonl`), time, time);
  }
  const sources = sourcesOf({ sources: { here: { roots: [folder], files: "*-{id}.jsonl" } } }, {}, fail);
  const found = await filesNamed(sources.slice(-1), "x");
  expect(found.map(({ file }) => basename(file.path))).toEqual(["b-x.jsonl"]);
});

test("a session is found by its id or a prefix; a whole id wins", async () => {
  const folder = temporaryFolder();
  for (const name of ["abc", "abcd", "xyz"]) write(join(folder, `${name}.jsonl`));
  const off = Object.fromEntries(Object.keys(programs).map((name) => [name, false as const]));
  const sources = sourcesOf({ sources: { ...off, here: { roots: [folder] } } }, {}, fail);
  const ids = async (name: string) => (await filesNamed(sources, name)).map(({ file }) => file.id);
  expect(await ids("abc")).toEqual(["abc"]);
  expect(await ids("ab")).toEqual(["abc", "abcd"]);
  expect(await ids("b")).toEqual([]);
});
