import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";

const { put, files, dragoman, spawned } = workspace();

const plain = '{"role":"user","content":"hello","timestamp":1740000000000}\n';
const seconds = '{"role":"user","content":"hello","timestamp":1740000000}\n';

/** A command that left something open would keep its process, which the other tests do not start, from ending. */
test.each([
  [1, ["check", "seconds.jsonl"]],
  [0, ["repair", "seconds.jsonl"]],
  [0, ["replay", "in.jsonl", "--to", "openclaw", "--speed", "inf"]],
  [0, ["tour"]],
  [0, ["sessions", "list", "--home", "home"]],
  [0, ["channels", "list", "--home", "home"]],
  [0, ["token", "list", "--home", "home"]],
  [0, ["usage", "--home", "home"]],
  [0, ["models", "list", "--home", "home"]],
  [0, ["keys", "list", "--home", "home"]],
  [0, ["config", "check", "--home", "home"]],
  [0, ["completion", "bash"]],
  [2, ["continue", "missing.jsonl", "--in", "pi", "--home", "home"]],
])("exit code %i in a process of its own, and the same output: dragoman %j", async (code, args) => {
  put("in.jsonl", plain);
  put("seconds.jsonl", seconds);
  await dragoman(["sessions", "import", "in.jsonl", "--home", "home"]);
  const alone = await spawned(args, "", { HOME: "/nonexistent", TZ: "UTC" });
  expect(alone.code).toBe(code);
  expect(await dragoman(args, "", { HOME: "/nonexistent", TZ: "UTC" })).toEqual(alone);
});

test("a command that starts while another one runs has a process of its own", async () => {
  const [first, second] = await Promise.all([
    dragoman(["detect", "-"], plain, { NO_COLOR: "1" }),
    dragoman(["detect", "-"], plain),
  ]);
  expect(first).toEqual({ code: 0, stdout: expect.stringMatching(/^ \d\d% {2}openclaw\n/), stderr: "" });
  expect(second).toEqual(first);
});

test("a command has its own folder, environment and streams, and leaves those of the tests alone", async () => {
  const before = [process.cwd(), process.env["TZ"], process.stdout, process.listenerCount("exit")];
  put("in.jsonl", plain);
  const made = await dragoman(["sessions", "import", "in.jsonl"], "", {
    DRAGOMAN_HOME: "own",
    TZ: "Asia/Tokyo",
  });
  expect(made).toMatchObject({ code: 0, stderr: "imported 1 message from openclaw; no losses\n" });
  const shown = await dragoman(["sessions", "show", made.stdout.trim(), "--home", "own"], "", {
    TZ: "Asia/Tokyo",
  });
  expect(shown.stdout).toContain("user  2025-02-20 06:20\n  hello\n");
  expect([process.cwd(), process.env["TZ"], process.stdout, process.listenerCount("exit")]).toEqual(before);
});

test("what a failed command began to write is removed, as at the end of a process", async () => {
  put("in.jsonl", `${plain}{"role":"user"`);
  const { code } = await dragoman([
    "convert",
    "in.jsonl",
    "--from",
    "openclaw",
    "--to",
    "pi",
    "-o",
    "out.jsonl",
  ]);
  expect(code).toBe(2);
  expect(files()).toEqual(["in.jsonl"]);
});
