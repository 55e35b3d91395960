import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";
import { greeting } from "../support/session-home.js";

const { path, put, get, dragoman, spawned } = workspace();

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** A user with an empty home, whose programs are in `bin`. */
function user(): Record<string, string> {
  mkdirSync(path("bin"), { recursive: true });
  return {
    HOME: path("ann"),
    DRAGOMAN_HOME: path("home"),
    PATH: `${path("bin")}:${process.env["PATH"]}`,
    CLAUDE_CONFIG_DIR: "",
    PI_CODING_AGENT_DIR: "",
  };
}

/** A program that prints how it was started. */
function program(name: string): void {
  mkdirSync(path("bin"), { recursive: true });
  writeFileSync(path(`bin/${name}`), '#!/bin/sh\npwd -P\nprintf "<%s>" "$@"\nexit 3\n');
  chmodSync(path(`bin/${name}`), 0o755);
}

test("standard output is the command that resumes the session, standard error what was lost", async () => {
  put("session.jsonl", greeting);
  const { code, stdout, stderr } = await dragoman(["continue", "session.jsonl", "--in", "pi"], "", user());
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^pi --session ${UUID}\n$`));
  const [folder = ""] = readdirSync(path("ann/.pi/agent/sessions"));
  const [name = ""] = readdirSync(path(`ann/.pi/agent/sessions/${folder}`));
  expect(folder).toBe(`--${path("").slice(1).replaceAll("/", "-")}--`);
  expect(name).toContain(stdout.trim().slice("pi --session ".length));
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^converted 4 messages from openclaw for pi; /),
    `wrote ${path(`ann/.pi/agent/sessions/${folder}/${name}`)}`,
    "continue with:",
    "",
  ]);
});

test("a session that was continued can be found by its id and continued elsewhere", async () => {
  put("session.jsonl", greeting);
  const env = user();
  const { stdout } = await dragoman(["continue", "session.jsonl", "--in", "claude-code", "--json"], "", env);
  const { session, command, written, losses } = JSON.parse(stdout);
  expect({ command, written }).toEqual({ command: `claude --resume ${session}`, written: true });
  expect(Object.keys(losses)).toEqual(["dropped", "approximated", "synthesised"]);

  const own = await dragoman(["continue", session.slice(0, 8), "--in", "dragoman"], "", env);
  expect(own.stdout).toMatch(/^dragoman chat --session [0-9A-Z]{26}\n$/);
  const id = own.stdout.trim().slice("dragoman chat --session ".length);
  expect(get(`home/agents/main/sessions/${id}.jsonl`)).toContain("It prints 1.");
  const back = await dragoman(["continue", id, "--in", "claude-code", "--dry-run"], "", env);
  expect(back).toMatchObject({ code: 0, stdout: "" });
  expect(back.stderr).toMatch(/^would convert 5 messages from openclaw for Claude Code; /);
  expect(back.stderr).toMatch(/\nnothing was written\n$/);
  expect(readdirSync(path("ann/.claude/projects"))).toHaveLength(1);
});

test("--run starts the program in the folder, without a shell, and exits with its code", async () => {
  put("session.jsonl", greeting);
  program("claude");
  mkdirSync(path("it's $(x) ;"));
  const args = ["continue", "session.jsonl", "--in", "claude-code", "--cwd", "it's $(x) ;", "--run"];
  const { code, stdout } = await spawned(args, "", user());
  expect(code).toBe(3);
  const [command, folder, started] = stdout.split("\n");
  expect(folder).toBe(path("it's $(x) ;"));
  expect(started).toMatch(new RegExp(`^<--resume><${UUID}>$`));
  expect(command).toMatch(/^cd '.*\/it'\\''s \$\(x\) ;' && claude --resume [0-9a-f-]+$/);
});

test("a missing program is reported after the session was stored", async () => {
  put("session.jsonl", greeting);
  const env = { ...user(), PATH: path("bin") };
  const { code, stdout, stderr } = await dragoman(
    ["continue", "session.jsonl", "--in", "pi", "--run"],
    "",
    env,
  );
  expect(code).toBe(2);
  expect(stdout).toMatch(/^pi --session /);
  expect(stderr).toContain("cannot start `pi`: there is no such program");
});

/** A session that records a folder, as pi writes it. */
const recorded = (cwd: string) =>
  `${JSON.stringify({ type: "session", version: 3, id: "s", timestamp: "2026-03-02T09:00:00.000Z", cwd })}\n` +
  '{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"user","content":"Hi","timestamp":1772442001000}}\n';

test("the session's folder is the default, but a transcript does not choose where a program is started", async () => {
  mkdirSync(path("project"));
  put("session.jsonl", recorded(path("project")));
  program("claude");
  const args = ["continue", "session.jsonl", "--in", "claude-code"];
  const { stdout } = await dragoman(args, "", user());
  expect(stdout).toMatch(new RegExp(`^cd ${path("project")} && claude --resume `));
  const refused = await dragoman([...args, "--run"], "", user());
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`to start the program there, add --cwd ${path("project")}`);
});

test("a folder that does not exist here is reported", async () => {
  put("session.jsonl", recorded("/nowhere/\u001b[2J"));
  const { stdout, stderr } = await dragoman(["continue", "session.jsonl", "--in", "pi"], "", user());
  expect(stdout).toMatch(/^pi --session /);
  expect(stderr).toContain(
    `the session's folder /nowhere/ does not exist here; it continues in ${path("")} `,
  );
  const wrong = await dragoman(["continue", "session.jsonl", "--in", "pi", "--cwd", "/nowhere"], "", user());
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--cwd must be an existing folder, not "/nowhere"');
});
