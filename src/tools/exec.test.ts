import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { isAlive } from "../../test/support/process-alive.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { call, failureOf } from "../../test/support/tool-call.js";
import type { ToolOutput } from "../agent/types.js";
import { type ExecDetails, type ExecOptions, execTool } from "./exec.js";
import { readText } from "./run-command.js";
import { Workspace } from "./workspace.js";

function prepared(options: Partial<ExecOptions> = {}) {
  const root = temporaryFolder();
  return { root, tool: execTool(new Workspace(root), options) };
}

function exec(command: string, options: Partial<ExecOptions> = {}) {
  return call(prepared(options).tool, { command });
}

const fine = { exitCode: 0, signal: null };

test.each<[command: string, output: ToolOutput<ExecDetails>]>([
  ["echo hello", { content: "hello", details: fine, isError: false }],
  ["true", { content: "[no output]", details: fine, isError: false }],
  ["echo 1; echo 2 >&2; echo 3", { content: "1\n2\n3", details: fine, isError: false }],
  [
    "echo oops >&2; exit 3",
    { content: "oops\n[exit code 3]", details: { exitCode: 3, signal: null }, isError: true },
  ],
  [
    "kill -9 $$",
    {
      content: "[no output]\n[ended by SIGKILL]",
      details: { exitCode: null, signal: "SIGKILL" },
      isError: true,
    },
  ],
  ["cat; echo end", { content: "end", details: fine, isError: false }],
  ["printf '\\033[31mred\\033[0m\\r\\n'", { content: "red", details: fine, isError: false }],
  ["printf 'a\\0b\\377c'", { content: "a\ufffdb\ufffdc", details: fine, isError: false }],
  [`echo "$0" "$#" "it's" '"'`, { content: `/bin/sh 0 it's "`, details: fine, isError: false }],
])("%s", async (command, output) => {
  expect(await exec(command)).toEqual(output);
});

test("runs in the workspace", async () => {
  const { root, tool } = prepared();
  expect((await call(tool, { command: "pwd" })).content).toBe(root);
});

test("a character that comes in pieces is whole, and half a one is not lost", async () => {
  const pieces = [[0xe2], [0x82, 0xac, 0x1b], [0x5b, 0x33, 0x31, 0x6d, 0x21, 0xf0]].map((bytes) =>
    Buffer.from(bytes),
  );
  const texts: string[] = [];
  await readText(Readable.from(pieces), async (text) => {
    texts.push(text);
  });
  expect(texts).toEqual(["€", "!", "\ufffd"]);
});

describe("the environment", () => {
  test("has no secrets, unless it was given", async () => {
    vi.stubEnv("SOME_API_KEY", "hunter2");
    vi.stubEnv("SOME_SETTING", "on");
    try {
      const command = 'echo "[$SOME_API_KEY]" "[$SOME_SETTING]"';
      expect((await exec(command)).content).toBe("[] [on]");
      expect((await exec(command, { env: { SOME_API_KEY: "given" } })).content).toBe("[given] []");
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("long output", () => {
  test("is cut in the middle", async () => {
    const output = await exec("seq 1 1000", { maxOutput: 20 });
    expect(output.content).toBe("1\n2\n3\n4\n5\n\n[… 3873 characters cut …]\n\n999\n1000");
  });

  test("is whole in a file when there is a folder for it", async () => {
    const spill = join(temporaryFolder(), "a/b");
    const output = await exec("seq 1 100000", { maxOutput: 20, spill });
    const [name = ""] = readdirSync(spill);
    expect(name).toMatch(/^exec-[0-9A-Z]{26}\.txt$/);
    expect(output.details).toEqual({ ...fine, spill: join(spill, name) });
    expect(output.content).toContain(`characters cut; all of it is in ${join(spill, name)} …]`);
    const whole = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join("");
    expect(readFileSync(join(spill, name), "utf8") === whole).toBe(true);
  });

  test("fills a file only so far", async () => {
    const spill = temporaryFolder();
    const output = await exec("seq 1 1000", { maxOutput: 20, spill, maxSpillBytes: 100 });
    expect(output.content).toContain("characters cut; the first part of it is in");
    expect(readFileSync(output.details?.spill ?? "", "utf8")).toHaveLength(100);
  });

  test("that is short makes no file", async () => {
    const spill = temporaryFolder();
    await exec("echo hello", { maxOutput: 20, spill });
    expect(readdirSync(spill)).toEqual([]);
  });

  test("that cannot be kept ends the command", async () => {
    const file = join(temporaryFolder(), "file");
    await exec(`touch ${file}`);
    expect(await failureOf(exec("yes", { maxOutput: 20, spill: file }))).toMatch(
      /^tools\/failed: cannot write the output to a file: /,
    );
  });
});

/** Runs a command that prints process ids until `count` are known, stops it, and returns them with its output. */
async function stopped(command: string, count: number, options: Partial<ExecOptions> = {}) {
  const { tool } = prepared({ graceMs: 100, ...options });
  const stop = new AbortController();
  let pids: number[] = [];
  const output = await call(
    tool,
    { command },
    {
      signal: stop.signal,
      update({ content }) {
        pids = `${content}`.trim().split(/\s+/).map(Number);
        if (pids.length === count) stop.abort();
      },
    },
  );
  return { output, pids };
}

async function expectGone(pids: readonly number[], count: number): Promise<void> {
  expect(pids).toHaveLength(count);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 10_000 });
}

describe("stopping", () => {
  test.each([
    ["a command", "echo $$; sleep 1000", 1],
    ["a pipeline", "echo $$; sh -c 'echo $$; sleep 1000' | cat", 2],
    ["a grandchild in the background", "sh -c 'sleep 1000 & echo $!; wait' & echo $!; wait", 2],
    ["who ignores SIGTERM", "trap '' TERM; echo $$; sleep 1000 & echo $!; wait", 2],
    [
      "a grandchild that ignores SIGTERM and whose parent has gone",
      "(sh -c 'trap \"\" TERM; echo $$; sleep 1000' &); echo $$; sleep 1000",
      2,
    ],
  ])("ends %s", async (_, command, count) => {
    const { output, pids } = await stopped(command, count);
    expect(output).toMatchObject({ details: { exitCode: null, stopped: "aborted" }, isError: true });
    expect(output.content).toMatch(/\n\[the user stopped it\]$/);
    await expectGone(pids, count);
  });

  test("after the time that the model gave", async () => {
    const { tool } = prepared();
    const output = await call(tool, { command: "echo begun; sleep 1000", timeout_seconds: 0.3 });
    expect(output).toEqual({
      content: "begun\n[stopped: it took longer than 0.3 seconds]",
      details: { exitCode: null, signal: "SIGTERM", stopped: "time limit" },
      isError: true,
    });
  });

  test("before it has begun", async () => {
    const output = await call(prepared().tool, { command: "sleep 1000" }, { signal: AbortSignal.abort() });
    expect(output.details).toMatchObject({ stopped: "aborted" });
  });
});

describe("what is left in the background", () => {
  test.each([
    ["holds the output", "sleep 1000 & echo $!"],
    ["holds nothing", "sleep 1000 > /dev/null 2>&1 & echo $!"],
    [
      "ignores SIGTERM",
      "sh -c 'trap \"\" TERM; echo $$ ; : > ready; sleep 1000' & while [ ! -e ready ]; do :; done",
    ],
  ])("ends with the command when it %s", async (_, command) => {
    const output = await exec(command, { graceMs: 100 });
    expect(output.details).toEqual(fine);
    await expectGone([Number(output.content)], 1);
  });

  test("and has left the group, is not waited for", async () => {
    const command =
      "setsid sh -c 'echo $$ > pid; mv pid ready; exec sleep 1000' & while [ ! -e ready ]; do :; done; cat ready";
    const output = await exec(command);
    const [pid = "", note] = `${output.content}`.split("\n");
    expect(isAlive(Number(pid))).toBe(true);
    process.kill(Number(pid));
    expect(note).toBe("[a process it started is still running; its output is no longer read]");
  });
});

test("shows how far it is", async () => {
  const { output } = await stopped("echo 11; sleep 1000", 1);
  expect(output.content).toBe("11\n[the user stopped it]");
});

test("a command that is too long for the system", async () => {
  expect(await failureOf(exec(`: ${"x".repeat(3_000_000)}`))).toBe(
    "tools/failed: the command cannot be run: it is too long",
  );
});

test("a workspace that has gone", async () => {
  const { root, tool } = prepared();
  await call(tool, { command: `rmdir "${root}"` });
  expect(await failureOf(call(tool, { command: "true" }))).toMatch(
    /^tools\/failed: the command cannot be run: /,
  );
});
