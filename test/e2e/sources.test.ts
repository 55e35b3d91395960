import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { convert, type DialectName } from "../../src/convert/index.js";
import { type Finished, workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

const CLAUDE = ".claude/projects/-home-ann-app/0f0d2f4e-1111-4222-8333-444455556666.jsonl";
const PI =
  ".pi/agent/sessions/--home-ann-app--/2026-01-16T10-00-00-000Z_3f2a9c1e-1111-4222-8333-444455556666.jsonl";
const CLINE = ".cline/data/sessions/1768469400_ab/1768469400_ab.messages.json";

/** A question and its answer at a minute of a day, in seed-000 lines. */
function conversation(question: string, day: string, provider: string, model: string): string {
  const timestamp = Date.parse(`${day}T10:00:00Z`);
  const usage = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens: 1100 };
  const cost = { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 };
  const answer = {
    role: "assistant",
    content: [{ type: "text", text: "The answer." }],
    api: "anthropic-messages",
    provider,
    model,
    usage: { ...usage, cost },
    stopReason: "stop",
    timestamp: timestamp + 60_000,
  };
  return [{ role: "user", content: question, timestamp }, answer]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");
}

async function write(name: string, to: DialectName, text: string): Promise<void> {
  const { output } = await convert(text, { from: "openclaw", to });
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), output);
}

function sessions(...args: string[]): Promise<Finished> {
  return asUser("sessions", ...args);
}

/** With the workspace as the user's home. */
function asUser(...args: string[]): Promise<Finished> {
  return dragoman(args, "", {
    HOME: path(""),
    TZ: "UTC",
    DRAGOMAN_HOME: "",
    CLAUDE_CONFIG_DIR: "",
    PI_CODING_AGENT_DIR: "",
    CLINE_DIR: "",
    OPENCLAW_STATE_DIR: "",
  });
}

beforeEach(async () => {
  await write(
    CLAUDE,
    "claude-code",
    conversation("Mend the sail", "2026-01-15", "anthropic", "claude-sonnet-4-5"),
  );
  await write(PI, "pi", conversation("Paint the hull", "2026-01-16", "anthropic", "claude-haiku-4-5"));
  await write(
    CLINE,
    "cline",
    conversation("Mend the rudder", "2026-01-16", "anthropic", "claude-sonnet-4-5"),
  );
});

test("sessions of other programs are listed, searched, shown and counted", async () => {
  put(".claude/projects/-x/1f0d2f4e-1111-4222-8333-444455556666.jsonl", '{"broken\n');
  put(".openclaw/agents", "not a folder");
  const listed = await sessions("list", "--source", "all");
  expect(listed.code).toBe(0);
  expect(listed.stdout).toBe(
    [
      "ID          SOURCE       TITLE            MODEL              MESSAGES  TOKENS     COST  LAST        WHERE",
      "3f2a9c1e-1  pi           Paint the hull   claude-haiku-4-5          2   1,100  $0.0030  2026-01-16",
      "1768469400  cline        Mend the rudder  claude-sonnet-4-5         2   1,100  $0.0030  2026-01-16",
      "0f0d2f4e-1  claude-code  Mend the sail    claude-sonnet-4-5         2   1,100  $0.0045  2026-01-15",
      "1f0d2f4e-1  claude-code  (unreadable)     –                         0       0       $0  –           (damaged)",
      "",
    ].join("\n"),
  );
  expect(listed.stderr).toMatch(/^sessions of openclaw: cannot read ".*agents": /);

  const found = await sessions("search", "mend");
  expect(found.stdout).toContain("Mend the sail  0f0d2f4e-1111-4222-8333-444455556666  claude-code");
  expect(found.stdout).toContain("Mend the rudder  1768469400_ab  cline");

  const shown = await sessions("show", "0f0d2f");
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("Mend the sail  0f0d2f4e-1111-4222-8333-444455556666\nclaude-code");
  expect(shown.stdout).toContain("  The answer.\n");

  const { stdout } = await sessions("stats", "--by", "day", "--source", "all");
  expect(stdout).toBe(
    [
      "DAY         SESSIONS  ANSWERS  INPUT  OUTPUT  CACHE READ  CACHE WRITE     COST",
      "2026-01-15         1        1  1,000     100           0            0  $0.0045",
      "2026-01-16         2        2  2,000     200           0            0  $0.0060",
      "",
    ].join("\n"),
  );
  const bySource = await sessions("stats", "--by", "source");
  expect(bySource.stdout).toBe(
    [
      "SOURCE       SESSIONS  ANSWERS  INPUT  OUTPUT  CACHE READ  CACHE WRITE     COST",
      "claude-code         1        1  1,000     100           0            0  $0.0045",
      "cline               1        1  1,000     100           0            0  $0.0030",
      "pi                  1        1  1,000     100           0            0  $0.0030",
      "",
    ].join("\n"),
  );
  expect((await sessions("stats")).stderr).toBe("no sessions; --source all includes other programs\n");
});

test("a session is converted by its id, wherever it is", async () => {
  const { stdout, stderr, code } = await asUser("convert", "0f0d2f", "--to", "markdown", "--dry-run");
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(/^would convert 2 messages from claude-code to markdown; /);
  const other = await asUser("convert", "0f0d2f", "--to", "markdown", "--source", "pi");
  expect(other.stderr).toContain('there is no file or session "0f0d2f"');
});

test("a session is checked by its id, wherever it is", async () => {
  expect(await asUser("check", "0f0d2f", "--drift")).toEqual({
    code: 0,
    stdout: "",
    stderr: `nothing unknown in ${path(CLAUDE)} (claude-code)\n`,
  });
  expect(await asUser("check", "0f0d2f", "--source", "pi")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no file or session "0f0d2f"'),
  });
});

test("a file is read again only if its size or time has changed, and is never written", async () => {
  const before = readFileSync(path(CLAUDE), "utf8");
  const first = new Date("2026-01-15T12:00:00Z");
  utimesSync(path(CLAUDE), first, first);
  await sessions("list", "--source", "claude-code");
  writeFileSync(path(CLAUDE), before.replace("sail", "mast"));
  utimesSync(path(CLAUDE), first, first);
  expect((await sessions("search", "mast", "--source", "claude-code")).stderr).toBe("nothing found\n");
  const later = new Date("2026-01-15T13:00:00Z");
  utimesSync(path(CLAUDE), later, later);
  const { stdout } = await sessions("search", "mast", "--source", "claude-code", "--json");
  expect(JSON.parse(stdout).hits).toMatchObject([
    { session: "0f0d2f4e-1111-4222-8333-444455556666", source: "claude-code", role: "user" },
  ]);
  expect(readFileSync(path(CLAUDE), "utf8")).toBe(before.replace("sail", "mast"));
  expect(statSync(path(CLAUDE)).mtime).toEqual(later);
});
