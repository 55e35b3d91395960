import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { main, workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

const ID = "0f0d2f4e-1111-4222-8333-444455556666";
const FILE = `.claude/projects/-home-ann-app/${ID}.jsonl`;

function line(uuid: string, parentUuid: string | null, more: object): string {
  const frame = { parentUuid, isSidechain: false, userType: "external", cwd: "/home/ann/app", sessionId: ID };
  const rest = { version: "2.1.325", uuid, timestamp: "2026-01-15T09:30:00.000Z" };
  return `${JSON.stringify({ ...frame, ...rest, ...more })}\n`;
}

function prompt(uuid: string, parentUuid: string | null, content: string): string {
  return line(uuid, parentUuid, { type: "user", message: { role: "user", content } });
}

/** One line for each block of an answer, as Claude Code writes it. */
function answer(uuid: string, parentUuid: string, text: string): string {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text }],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 5 },
  };
  return line(uuid, parentUuid, { type: "assistant", message });
}

test("`view --follow` prints the messages of a running session as they are written", async () => {
  put(FILE, prompt("u0", null, "An old prompt") + prompt("u1", "u0", "Mend the sail"));
  const child = spawn(process.execPath, [main, "view", "0f0d", "--follow", "--last", "1"], {
    env: { ...process.env, HOME: path(""), DRAGOMAN_HOME: "", CLAUDE_CONFIG_DIR: "", TZ: "UTC" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const until = async (text: string) => {
    while (!printed.includes(text)) await once(child.stdout, "data");
  };
  await until("Mend the sail\n");
  appendFileSync(path(FILE), answer("a1", "u1", "I look at the sail."));
  await until("I look at the sail.\n");
  appendFileSync(path(FILE), answer("a2", "a1", "It has a hole."));
  await until("It has a hole.\n");
  appendFileSync(path(FILE), prompt("u2", "a2", "Mend it"));
  await until("Mend it\n");
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(printed).toBe(
    [
      "",
      "user  2026-01-15 09:30",
      "  Mend the sail",
      "",
      "claude-sonnet-4-5  2026-01-15 09:30  9 in, 5 out",
      "  I look at the sail.",
      "  It has a hole.",
      "",
      "user  2026-01-15 09:30",
      "  Mend it",
      "",
    ].join("\n"),
  );
});

test("standard input and pages cannot be followed", async () => {
  const piped = await dragoman(["view", "-", "--follow", "--from", "pi"]);
  expect(piped).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--follow needs a file or a session"),
  });
  const page = await dragoman(["view", "x", "--follow", "--html", "x.html"]);
  expect(page).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be combined with --html") });
});
