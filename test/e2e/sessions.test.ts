import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, greeting, sessionHome, ULID } from "../support/session-home.js";

const { path, put, dragoman, sessions, made, out, sessionFile, shell } = sessionHome();

test("the life of a session, from its import to the archive", async () => {
  expect(await sessions(["list"])).toEqual({
    code: 0,
    stdout: "",
    stderr: `no sessions in ${path("home")} yet; \`dragoman sessions import FILE\` adds one, --source all lists other programs' sessions, and --home DIR selects another home\n`,
  });
  put("greeting.jsonl", greeting);
  const imported = await sessions(["import", "greeting.jsonl", "--key", "agent:main:telegram:dm:12"]);
  const id = imported.stdout.trim();
  expect(imported).toEqual({
    code: 0,
    stdout: expect.stringMatching(ULID),
    stderr: "imported 4 messages from openclaw; no losses\n",
  });
  expect(await out(["show", id])).toEqual([
    `What does greet.ts print?  ${id}`,
    "agent main  agent:main:telegram:dm:12  anthropic/claude-opus-4-6",
    "4 messages  800 in, 100 out  $0.0064",
    "",
    "user  2026-01-15 09:30",
    "  What does greet.ts print?",
    "",
    "claude-opus-4-6  2026-01-15 09:30  400 in, 50 out  $0.0032",
    "  Let me look.",
    '  → read {"path":"src/greet.ts"}',
    "  ← read  console.log(1);",
    "",
    "claude-opus-4-6  2026-01-15 09:30  400 in, 50 out  $0.0032",
    "  It prints 1.",
  ]);

  const [shown = ""] = (await out(["show", id, "--raw"])).slice(1);
  const first: string = JSON.parse(shown).id;
  const fork = await sessions(["fork", id, "--at", first, "--title", "Another way"]);
  const copy = fork.stdout.trim();
  expect(fork).toEqual({
    code: 0,
    stdout: expect.stringMatching(ULID),
    stderr: `a copy of ${id} up to ${first}; the original is unchanged\n`,
  });
  expect(await out(["list"])).toEqual([
    "ID          AGENT  TITLE                      MESSAGES     COST  LAST        WHERE",
    `${id.slice(0, 10)}  main   What does greet.ts print?         4  $0.0064  2026-01-15  telegram:dm:12`,
    `${copy.slice(0, 10)}  main   └ Another way                     1       $0  2026-01-15`,
  ]);

  const archive = await sessions(["archive", copy]);
  expect(archive).toEqual({
    code: 0,
    stdout: "",
    stderr: `${copy} is archived; \`dragoman sessions archive ${copy} --undo\` undoes this\n`,
  });
  expect(await out(["list"])).toHaveLength(2);
  const all = JSON.parse((await out(["list", "--all", "--json"])).join(""));
  expect(all).toMatchObject([
    { id, archived: false },
    { id: copy, archived: true, parent: { session: id, message: first } },
  ]);
  expect((await sessions(["archive", copy, "--undo", "--json"])).stdout).toBe(
    `{"session":"${copy}","archived":false}\n`,
  );
  expect(await out(["list", "--archived", "--json"])).toEqual(["[]"]);
});

test("search and stats", async () => {
  const id = await made(["import", "-", "--title", "Greeting"], greeting);
  expect(await sessions(["search", "greet"])).toEqual({
    code: 0,
    stdout: [
      `Greeting  ${id}`,
      "  user  2026-01-15 09:30  What does «greet».ts print?",
      "  assistant  2026-01-15 09:30  Let me look. read path src/«greet».ts",
      "",
    ].join("\n"),
    stderr: "2 messages in 1 session\n",
  });
  const json = JSON.parse((await out(["search", "prints", "--role", "assistant", "--json"])).join(""));
  expect(json).toMatchObject({ hits: [{ session: id, role: "assistant", timestamp: 1_768_469_404_000 }] });
  expect((await sessions(["search", "greet", "--since", "2026-01-16"])).stderr).toBe("nothing found\n");
  expect((await sessions(["search", "greet", "--until", "2026-01-15", "--limit", "1"])).stderr).toBe(
    "1 of 2 messages (--limit N shows more) in 1 session\n",
  );
  const first = JSON.parse((await out(["search", "greet", "--limit", "1", "--json"])).join(""));
  expect([first.hits.length, first.matches]).toEqual([1, 2]);
  const expected = [
    "sessions  1",
    "messages  4 (1 user, 2 assistant, 1 tool)",
    "tokens    800 in, 100 out",
    "cost      $0.0064",
    "",
    "MODEL                      ANSWERS  TOKENS           COST",
    "anthropic/claude-opus-4-6  2        800 in, 100 out  $0.0064",
  ];
  expect(await out(["stats"])).toEqual(expected);
  expect(await out(["stats", id])).toEqual(expected);
});

test("unknown prices are told", async () => {
  const frames =
    '[{"role":"user","content":[{"type":"text","text":"Hi"}]},{"role":"assistant","content":[{"type":"text","text":"Hello"}],"usage":{"input_tokens":5,"output_tokens":2}}]';
  put("messages.json", `{"model":"claude-opus-4-6","max_tokens":9,"messages":${frames}}`);
  await made(["import", "messages.json", "--from", "anthropic"]);
  const { code, stdout, stderr } = await sessions(["stats"]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "usage or price is unknown for some answers; the real cost is higher\n",
  });
  expect(stdout).toContain("cost      ?\n");
});

describe("names", () => {
  test("a key in any spelling, and as much of an id as is needed", async () => {
    const id = await made(["import", "-", "--key", "agent:main:telegram:dm:12"], greeting);
    await made(["import", "-"], greeting);
    const byKey = await out(["stats", "agent:main:telegram:direct:12"]);
    expect(byKey[0]).toBe("sessions  1");
    expect((await out(["show", id.slice(0, 20), "--json"]))[0]).toContain(`{"session":{"id":"${id}"`);
    expect(await sessions(["show", id.slice(0, 2)])).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^dragoman: 2 sessions begin with 01: .*; give more of the id \[log\/ambiguous\]\n$/,
      ),
    });
  });

  test("what is not there is near to something, or to nothing", async () => {
    const id = await made(["import", "-", "--title", "Greeting"], greeting);
    expect(await sessions(["show", `${id.slice(0, 22)}ZZZZ`])).toEqual({
      code: 2,
      stdout: "",
      stderr: `dragoman: there is no session "${id.slice(0, 22)}ZZZZ"; did you mean ${id} (Greeting)? [log/no-session]\n`,
    });
    expect((await sessions(["fork", "nothing"])).stderr).toBe(
      'dragoman: there is no session "nothing"; `dragoman sessions list --source all` lists them [log/no-session]\n',
    );
  });

  test.each([
    [["show"], "missing argument ID; see `dragoman sessions show --help` [cli/usage]"],
    [["show", "a", "b"], 'unexpected argument "b"; see `dragoman sessions show --help` [cli/usage]'],
    [
      ["list", "--limit", "many"],
      '--limit must be a number such as 20, not "many"; see `dragoman sessions list --help` [cli/usage]',
    ],
    [
      ["search", "x", "--since", "soon"],
      '--since must be a date such as 2026-01-15, or 3d for three days ago, not "soon"; see `dragoman sessions search --help` [cli/usage]',
    ],
    [
      ["search", "x", "--role", "king"],
      '--role must be one of user, assistant, toolResult, not "king"; see `dragoman sessions search --help` [cli/usage]',
    ],
    [["burn"], 'unknown command "sessions burn"; `dragoman sessions --help` lists the commands [cli/usage]'],
  ])("%j is refused in one line", async (args, stderr) => {
    expect(await sessions(args)).toEqual({ code: 2, stdout: "", stderr: `dragoman: ${stderr}\n` });
  });

  test("each command has its own help", async () => {
    expect((await sessions(["fork", "--help"])).stdout).toMatch(/^Usage: dragoman sessions fork ID /);
    expect((await sessions(["--help"])).stdout).toMatch(/^Usage: dragoman sessions COMMAND /);
    expect((await dragoman(["help", "sessions", "stats"])).stdout).toMatch(
      /^Usage: dragoman sessions stats /,
    );
  });
});

describe("show", () => {
  test("the last messages cost no look at the first", async () => {
    const id = await made(["import", "-"], greeting);
    appendFileSync(sessionFile(id), `damaged\n${answer('{"type":"text","text":"The end."}', "stop", 9)}\n`);
    const whole = await sessions(["show", id, "--raw"]);
    expect(whole.stderr).toBe("line 6 is not a message: expected a value, found d\n");
    const last = await sessions(["show", id, "--last", "1"]);
    expect({ stderr: last.stderr, end: last.stdout.split("\n").slice(3) }).toEqual({
      stderr: "",
      end: ["", "claude-opus-4-6  2026-01-15 09:30  400 in, 50 out  $0.0032", "  The end.", ""],
    });
  });

  test("notes do not count as messages", async () => {
    const id = await made(["import", "-"], greeting);
    for (const args of [
      ["archive", id],
      ["archive", id, "--undo"],
    ])
      await sessions(args);
    expect((await out(["show", id, "--last", "1"])).at(-1)).toBe("  It prints 1.");
  });

  test("what strangers wrote is shown, never obeyed", async () => {
    const evil = "\\u001b]0;owned\\u0007\u009b2J xylophone";
    const id = await made(["import", "-"], `{"role":"user","content":"${evil}","timestamp":1768469400000}\n`);
    for (const args of [
      ["show", id],
      ["show", id, "--raw"],
      ["show", id, "--json"],
      ["list"],
      ["search", "xylophone"],
    ]) {
      const { stdout, stderr } = await sessions(args);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(stdout + stderr).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
      expect(stdout).toContain("xylophone");
    }
  });
});

test("everything in a home is for its owner alone, whatever the umask", async () => {
  put("in.jsonl", greeting);
  const script =
    'umask 000; export DRAGOMAN_HOME=home; "$0" "$1" sessions import in.jsonl && "$0" "$1" sessions list && echo hi | "$0" "$1" chat -p';
  expect((await shell(script)).code).toBe(0);
  const open = readdirSync(path("home"), { recursive: true, encoding: "utf8" })
    .concat(".")
    .filter((name) => (statSync(join(path("home"), name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});
