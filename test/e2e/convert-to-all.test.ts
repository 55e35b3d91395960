import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";
import { greeting } from "../support/session-home.js";

const { put, files, dragoman } = workspace();

test("--to all --dry-run prints what each target would lose, the smallest losses first, and writes nothing", async () => {
  put("session.jsonl", greeting);
  const { code, stdout, stderr } = await dragoman(["convert", "session.jsonl", "--to", "all", "--dry-run"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "4 messages from openclaw; nothing was written\n" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^openclaw +no losses$/);
  expect(lines.find((line) => line.startsWith("ollama "))).toMatch(
    /^ollama +\d+ losses +\d+ dropped.* {2}\d+ × [^;]+; \d+ × [^;]+; \d+ × [^;]+$/,
  );
  expect(files()).toEqual(["session.jsonl"]);
});

test("--json has the counts and the most important kinds", async () => {
  const { stdout } = await dragoman(["convert", "--to", "all", "--dry-run", "--json"], greeting);
  const targets: { dialect: string; losses: object; total: number; kinds: object[] }[] = JSON.parse(stdout);
  expect(targets[0]).toEqual({
    dialect: "openclaw",
    title: "OpenClaw transcript",
    losses: { dropped: 0, approximated: 0, synthesised: 0 },
    total: 0,
    kinds: [],
  });
  expect(targets.find(({ dialect }) => dialect === "ollama")?.kinds[0]).toEqual({
    severity: "dropped",
    count: 4,
    what: "timestamp",
    why: "a request does not state when a message was sent",
  });
});

test("--to all needs --dry-run, and --json an output that is not standard output", async () => {
  const missing = await dragoman(["convert", "--to", "all"], greeting);
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toContain("--to all needs --dry-run");
  const single = await dragoman(["convert", "--to", "pi", "--json"], greeting);
  expect(single.stderr).toContain("--json needs --dry-run or -o OUT");
});

test("--json with one target reports the losses for programs", async () => {
  const { code, stdout, stderr } = await dragoman(
    ["convert", "--to", "pi", "--json", "-o", "out.jsonl"],
    greeting,
  );
  expect({ code, stderr, files: files() }).toEqual({ code: 0, stderr: "", files: ["out.jsonl"] });
  expect(JSON.parse(stdout)).toMatchObject({ from: "openclaw", to: "pi", messages: 4, output: "out.jsonl" });
});

test("--dry-run with one target reports its losses and writes nothing", async () => {
  const args = ["convert", "--to", "ollama", "--dry-run", "-o", "out.json", "--strict"];
  const { code, stdout, stderr } = await dragoman(args, greeting);
  expect({ code, stdout, files: files() }).toEqual({ code: 1, stdout: "", files: [] });
  expect(stderr).toMatch(/^would convert 4 messages from openclaw to ollama; losses: /);
});
