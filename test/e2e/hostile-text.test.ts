import { expect, test } from "vitest";
import { workspace } from "./run-cli.js";

const { dragoman, put } = workspace();

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

const providers = ["anthropic", "openai-chat", "openai-responses", "google", "ollama"];

test.each([
  ["detect", NAME],
  ["check", NAME, "--from", "openclaw"],
  ...providers.map((provider) => ["check", NAME, "--from", "openclaw", "--for", provider]),
  ["repair", NAME, "--from", "openclaw", "--dry-run"],
  ...providers.map((provider) => ["repair", NAME, "--from", "openclaw", "--dry-run", "--for", provider]),
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

test.each([
  ["sessions", "list"],
  ["sessions", "show", "ID"],
  ["sessions", "search", "hello"],
  ["sessions", "stats"],
  ["sessions", "repair", "ID"],
  ["doctor"],
])("dragoman %j shows a hostile session as text", async (...args) => {
  put(NAME, importable);
  const { stdout: id, stderr: problems } = await dragoman([
    "sessions",
    "import",
    NAME,
    "--from",
    "openclaw",
    "--home",
    "home",
  ]);
  expect(problems).toMatch(/^imported 6 messages/);
  const shown = args.map((argument) => (argument === "ID" ? id.trim() : argument));
  const { stdout, stderr } = await dragoman([...shown, "--home", "home"]);
  expect(stdout + stderr).not.toBe("");
  expect((stdout + stderr).replaceAll(/\n/g, "")).not.toMatch(OBEYED);
});
