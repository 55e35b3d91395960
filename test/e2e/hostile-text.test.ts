import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { apiNames } from "../../src/dialects/registry.js";
import { PeopleStore } from "../../src/gateway/channels/people-store.js";
import { openCells } from "../../src/log/files/cells.js";
import { hasPython, openTerminal } from "../support/cli/pseudo-terminal.js";
import { workspace } from "../support/cli/run-cli.js";

const { dragoman, path, put } = workspace();

/** Writes to the clipboard, clears the screen, moves up, reorders text, in long and short forms. */
const EVIL = "\u001b]52;c;cHduCg==\u0007\u001b[2J\u001b[1A\u009b31m\u0090x\u009c\u202egnp.exe\u2066\u0007";
const NAME = "hostile\u001b[2J\u009b1A\u202e.jsonl";

/** What a terminal obeys, or shows in another order than it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const usage = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A transcript with something odd in every place where a stranger's text can be. */
const lines = [
  { role: "session", id: "s1", key: `agent:main:${EVIL}`, title: `title ${EVIL}`, timestamp: 1 },
  { role: "system", content: `system ${EVIL}`, timestamp: 1 },
  { role: "user", id: `u${EVIL}`, content: `hello ${EVIL}`, sender: `ann${EVIL}`, timestamp: 2 },
  {
    role: "assistant",
    content: [
      { type: "text", text: `answer ${EVIL}` },
      { type: "thinking", thinking: `thought ${EVIL}` },
      { type: "toolCall", id: `c1${EVIL}`, name: `tool${EVIL}`, arguments: { [`key${EVIL}`]: EVIL } },
      { type: "opaque", dialect: `dialect${EVIL}`, value: { [EVIL]: EVIL } },
    ],
    api: `api${EVIL}`,
    provider: `provider${EVIL}`,
    model: `model${EVIL}`,
    usage,
    stopReason: `stop${EVIL}`,
    errorMessage: `error ${EVIL}`,
    timestamp: 3,
    [`field${EVIL}`]: EVIL,
  },
  {
    role: "toolResult",
    toolCallId: `other${EVIL}`,
    toolName: `tool${EVIL}`,
    content: [],
    isError: false,
    timestamp: 4,
  },
  { role: `role${EVIL}`, content: EVIL, timestamp: 5 },
  { role: "error", content: `failed ${EVIL}`, code: EVIL, timestamp: 6 },
];
const transcript = jsonLines(lines);
/** The same without what no session can hold. */
const importable = jsonLines(
  lines.map((line) => (line.role === "assistant" ? { ...line, stopReason: "error" } : line)),
);
/** JSON escapes C0; C1 and marks of direction may stand in it as they are. */
const damaged = `${transcript}{"role":"user${EVIL}\n`;

function jsonLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

test.each([
  ["detect", NAME],
  ["check", NAME, "--from", "openclaw"],
  ...apiNames.map((provider) => ["check", NAME, "--from", "openclaw", "--for", provider]),
  ["repair", NAME, "--from", "openclaw", "--dry-run"],
  ...apiNames.map((provider) => ["repair", NAME, "--from", "openclaw", "--dry-run", "--for", provider]),
  ["convert", NAME, "--from", "openclaw", "--to", "anthropic", "-o", "out.json"],
  ["convert", NAME, "--from", "openclaw", "--to", "cline", "-o", "out.json"],
  ["convert", NAME, "--from", "pi", "--to", "openclaw", "-o", "out.json"],
  ["convert", "missing\u001b[2J", "--to", "openclaw"],
  ["convert", NAME, "--to", `dialect${EVIL}`],
  ["view", NAME, "--html", "page\u001b[2J.html"],
  ["sessions", "import", NAME, "--from", "openclaw", "--home", "home"],
  [`command${EVIL}`],
  ["sessions", `command${EVIL}`],
  ["convert", `--option${EVIL}`],
])("dragoman %j prints nothing that a terminal obeys", async (...args) => {
  for (const text of [transcript, damaged]) {
    put(NAME, text);
    const { stdout, stderr } = await dragoman(args);
    expect(stdout.replaceAll(/\n/g, "")).not.toMatch(OBEYED);
    expect(stderr.replaceAll(/\n/g, "")).not.toMatch(OBEYED);
    expect(stdout + stderr).not.toBe("");
  }
});

/** The id of a session with the transcript in it. */
async function imported(): Promise<string> {
  put(NAME, importable);
  const args = ["sessions", "import", NAME, "--from", "openclaw", "--home", "home"];
  const { stdout, stderr } = await dragoman(args);
  expect(stderr).toMatch(/^imported 6 messages/);
  return stdout.trim();
}

test.each([
  ["sessions", "list"],
  ["sessions", "show", "ID"],
  ["sessions", "search", "hello"],
  ["sessions", "stats"],
  ["sessions", "repair", "ID"],
  ["sessions", "fork", "ID"],
  ["sessions", "archive", "ID"],
  ["sessions", "compact", "ID", "--model", "demo/echo"],
  ["sessions", "export", "ID", "--to", "cline", "-o", "out\u001b[2J.json"],
  ["sessions", "export", "ID", "--to", "anthropic", "-o", "out.json"],
  ["sessions", "show", `hello${EVIL}`],
  ["chat", "-p", "-s", `agent:main:${EVIL}`, "hi"],
  ["doctor"],
])("dragoman %j shows a hostile session as text", async (...args) => {
  const id = await imported();
  const shown = args.map((argument) => (argument === "ID" ? id : argument));
  const { stdout, stderr } = await dragoman([...shown, "--home", "home"]);
  expect(stdout + stderr).not.toBe("");
  expect((stdout + stderr).replaceAll(/\n/g, "")).not.toMatch(OBEYED);
});

test("dragoman replay reports nothing that a terminal obeys, and what it writes is the transcript", async () => {
  for (const [text, code] of [
    [importable, 0],
    [damaged, 1],
  ] as const) {
    put(NAME, text);
    const replayed = await dragoman([
      "replay",
      NAME,
      "--from",
      "openclaw",
      "--to",
      "openclaw",
      "--speed",
      "inf",
    ]);
    expect(replayed.stderr.replaceAll(/\n/g, "")).not.toMatch(OBEYED);
    expect(replayed.stderr).not.toBe("");
    expect(replayed.code === 0).toBe(code === 0);
    if (code === 0) expect(replayed.stdout).toBe(text);
  }
});

/** A platform that calls the bot what a stranger could. */
async function hostilePlatform(): Promise<string> {
  const me = { id: 42, is_bot: true, username: `bot${EVIL}`, first_name: `bot${EVIL}` };
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ ok: true, result: me, ...me, id: "42" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("`channels` shows the names of strangers and of bots as text", async () => {
  const apiRoot = await hostilePlatform();
  const account = { token: "1:a", apiRoot };
  const config = {
    model: "demo/echo",
    channels: { telegram: { default: account }, discord: { default: account } },
  };
  put("home/config.json", JSON.stringify(config));
  const people = new PeopleStore(openCells(path("home")), "telegram", "default");
  const code = await people.requestCode({ id: `7${EVIL}`, name: `Ann ${EVIL}` }, "m1");
  for (const [args, input] of [
    [["list"], ""],
    [["status"], ""],
    [["test"], ""],
    [["approve"], ""],
    [["approve", `CODE${EVIL}`], ""],
    [["approve", code ?? ""], ""],
    [["remove", "telegram", "--person", `8${EVIL}`], ""],
    [["remove", "telegram", "--person", `7${EVIL}`], ""],
    [["remove", `telegram/${EVIL}`], ""],
    [["add", "telegram", "--token-stdin"], "1:a\n"],
    [["normalise", `telegram${EVIL}`], "{}"],
    [["normalise", "telegram", "-"], JSON.stringify({ [`field${EVIL}`]: EVIL })],
  ] as const) {
    const { stdout, stderr } = await dragoman(["channels", ...args, "--home", "home"], input);
    expect({ args, text: stdout + stderr }).not.toEqual({ args, text: "" });
    expect((stdout + stderr).replaceAll(/\n/g, "")).not.toMatch(OBEYED);
  }
});

/** What only the transcript would send: the program itself uses other sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const HOSTILE = /\u001b\]52|\u001b\[2J\u001b\[1A|[\u0007\u0080-\u009f\u202a-\u202e\u2066-\u2069]/;

test.skipIf(!hasPython)("chat on a terminal resumes a hostile session, and shows it as text", async () => {
  const id = await imported();
  const env = { DRAGOMAN_HOME: path("home"), NO_COLOR: "1" };
  const terminal = openTerminal(["chat", "--session", id, "--model", "demo/echo"], { env, cwd: path(".") });
  await terminal.until("Ctrl-D to exit");
  for (const command of ["session", "usage", "thinking", "fork"]) terminal.type(`/${command}\r`);
  terminal.type("still here\r");
  await terminal.until("\nstill here\n");
  terminal.type("\u0004");
  await terminal.ended;
  for (const shown of ["hello ", "answer ", "error ", "failed "]) {
    expect(terminal.screen.text()).toContain(`${shown}\ufffdgnp.exe`);
  }
  expect(EVIL).toMatch(HOSTILE);
  expect(terminal.raw()).not.toMatch(HOSTILE);
});
