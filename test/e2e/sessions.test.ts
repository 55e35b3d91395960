import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Finished, workspace } from "./run-cli.js";

const { path, put, get, files, dragoman } = workspace();

const usage =
  '{"input":400,"output":50,"cacheRead":0,"cacheWrite":0,"totalTokens":450,"cost":{"input":0.002,"output":0.0012,"cacheRead":0,"cacheWrite":0,"total":0.0032}}';
const answer = (content: string, stopReason: string, second: number) =>
  `{"role":"assistant","content":[${content}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":${usage},"stopReason":"${stopReason}","timestamp":${1_768_469_400_000 + second * 1000}}`;
const greeting = [
  '{"role":"user","content":"What does greet.ts print?","timestamp":1768469400000}',
  answer(
    '{"type":"text","text":"Let me look."},{"type":"toolCall","id":"call_1","name":"read","arguments":{"path":"src/greet.ts"}}',
    "toolUse",
    2,
  ),
  '{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":"console.log(1);"}],"isError":false,"timestamp":1768469403000}',
  answer('{"type":"text","text":"It prints 1."}', "stop", 4),
  "",
].join("\n");

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}\n$/;

function sessions(args: string[], input = ""): Promise<Finished> {
  return dragoman(["sessions", ...args], input, { DRAGOMAN_HOME: path("home"), TZ: "UTC" });
}

/** The id that a command printed. */
async function made(args: string[], input?: string): Promise<string> {
  const { code, stdout } = await sessions(args, input);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(ULID) });
  return stdout.trim();
}

async function out(args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await sessions(args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout.trimEnd().split("\n");
}

const sessionFile = (id: string) => path(`home/agents/main/sessions/${id}.jsonl`);

test("the life of a session, from its import to the archive", async () => {
  expect(await sessions(["list"])).toEqual({
    code: 0,
    stdout: "",
    stderr: `no sessions in ${path("home")} yet; \`dragoman sessions import FILE\` brings one, and --home DIR looks elsewhere\n`,
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
    stderr: `a copy of ${id} up to ${first}; the original stays as it is\n`,
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
    stderr: `${copy} is archived; \`dragoman sessions archive ${copy} --undo\` takes it back\n`,
  });
  expect(await out(["list"])).toHaveLength(2);
  const all = JSON.parse((await out(["list", "--all", "--json"])).join(""));
  expect(all).toMatchObject([
    { id: copy, archived: true, parent: { session: id, message: first } },
    { id, archived: false },
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
    "1 message in 1 session\n",
  );
  const expected = [
    "sessions  1",
    "messages  4 (1 of users, 2 answers, 1 of tools)",
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
    stderr: "the prices of some answers are unknown, so that more was spent than the cost says\n",
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
        /^dragoman: 2 sessions begin with 01: .*; write more of the id \[log\/ambiguous\]\n$/,
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
      'dragoman: there is no session "nothing"; `dragoman sessions list --all` lists them [log/no-session]\n',
    );
  });

  test.each([
    [["show"], "the session is missing; see `dragoman sessions show --help` [cli/usage]"],
    [
      ["show", "a", "b"],
      'one session at a time, please: "b" is too much; see `dragoman sessions show --help` [cli/usage]',
    ],
    [
      ["list", "--limit", "many"],
      '--limit wants a number such as 20, not "many"; see `dragoman sessions list --help` [cli/usage]',
    ],
    [
      ["search", "x", "--since", "soon"],
      '--since wants a date such as 2026-01-15, or 3d for three days ago, not "soon"; see `dragoman sessions search --help` [cli/usage]',
    ],
    [
      ["search", "x", "--role", "king"],
      'there is no role "king"; there are user, assistant, toolResult; see `dragoman sessions search --help` [cli/usage]',
    ],
    [["burn"], 'there is no command "sessions burn"; `dragoman sessions --help` lists them'],
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
    expect(whole.stderr).toBe("line 6 is no message: expected a value, found d\n");
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

describe("export and import", () => {
  test("an export is a conversion of the session", async () => {
    const id = await made(["import", "-"], greeting);
    const same = await sessions(["export", id, "--to", "openclaw"]);
    expect(same).toEqual({
      code: 0,
      stdout: readFileSync(sessionFile(id), "utf8"),
      stderr: "converted 5 messages from openclaw to openclaw; no losses\n",
    });
    const strict = await sessions([
      "export",
      id,
      "--to",
      "cline",
      "-o",
      "c.json",
      "--losses",
      "l.json",
      "--strict",
    ]);
    expect(strict.code).toBe(1);
    expect(files()).toEqual(["c.json", "home", "l.json"]);
    expect(JSON.parse(get("c.json")).sessionId).toBe(id);
    expect(JSON.parse(get("l.json")).length).toBeGreaterThan(0);
    const escrow = await sessions(["export", id, "--to", "cline", "--escrow", "-o", "e.json"]);
    expect(escrow.stderr).toBe("converted 5 messages from openclaw to cline; no losses\n");
    expect((await sessions(["export", id])).stderr).toBe(
      "dragoman: --to DIALECT is missing; see `dragoman sessions export --help` [cli/usage]\n",
    );
  });

  test("a line that is being written, or never was finished, is not exported", async () => {
    const id = await made(["import", "-"], greeting);
    const whole = readFileSync(sessionFile(id), "utf8");
    appendFileSync(sessionFile(id), '{"role":"us');
    expect((await sessions(["export", id, "--to", "openclaw"])).stdout).toBe(whole);
  });

  test("of branches one comes, and calls without a result get one", async () => {
    const branch = (id: string, parent: string, text: string) =>
      `{"role":"user","content":"${text}","timestamp":1768469400000,"id":"${id}","parentId":${parent}}\n`;
    const call = answer('{"type":"toolCall","id":"c1","name":"read","arguments":{}}', "toolUse", 1);
    const open = `${call.slice(0, -1)},"id":"m4","parentId":"m3"}\n`;
    put(
      "tree.jsonl",
      branch("m1", "null", "A river.") +
        branch("m2", '"m1"', "Europe.") +
        branch("m3", '"m1"', "Africa.") +
        open,
    );
    const { stdout, stderr } = await sessions(["import", "tree.jsonl", "--json"]);
    const { session, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      from: "openclaw",
      messages: 3,
      losses: { dropped: 1, approximated: 0, synthesised: 0 },
    });
    expect(stderr).toMatch(
      /^imported 3 messages from openclaw; losses: 1 dropped, .*\n.*it is on another branch\n$/,
    );
    const told = (await out(["show", session, "--raw"])).slice(1).map((line) => JSON.parse(line));
    expect(told.map(({ role, content }) => [role, role === "user" ? content : undefined])).toEqual([
      ["user", "A river."],
      ["user", "Africa."],
      ["assistant", undefined],
      ["toolResult", undefined],
    ]);
    const other = await made(["import", "tree.jsonl", "--leaf", "m2"]);
    expect((await out(["show", other])).at(-1)).toBe("  Europe.");
  });

  test("what cannot be read to its end leaves nothing behind", async () => {
    put("broken.jsonl", `${greeting}damaged\n`);
    expect((await sessions(["import", "broken.jsonl"])).code).toBe(2);
    expect(await out(["list", "--json"])).toEqual(["[]"]);
  });

  test("a key moves, and says from where", async () => {
    const before = await made(["import", "-", "--key", "agent:ops:main"], greeting);
    const { stdout, stderr } = await sessions(["import", "-", "--key", "agent:ops:main"], greeting);
    expect(stderr).toBe(
      `imported 4 messages from openclaw; no losses\nagent:ops:main stood for ${before}, which is there under its id\n`,
    );
    expect((await out(["show", "agent:ops:main"]))[0]).toBe(`What does greet.ts print?  ${stdout.trim()}`);
  });
});

test("compact has the model summarise, and takes it back", async () => {
  const long = Array.from({ length: 40 }, (_, index) => {
    const content = `${index} ${"word ".repeat(1000)}`;
    return `{"role":"user","content":"${content}","timestamp":1768469400000}\n`;
  });
  const id = await made(["import", "-"], long.join(""));
  const { code, stdout, stderr } = await sessions(["compact", id, "--json"]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `from here on the model is shown this summary; \`dragoman sessions compact ${id} --undo\` takes it back\n`,
  });
  expect(JSON.parse(stdout)).toEqual({
    session: id,
    changed: true,
    summary: expect.stringContaining("0 word word"),
  });
  expect((await sessions(["show", id])).stdout).toContain("summary of everything above, for the model");
  const undo = ["compact", id, "--undo"];
  expect((await sessions(undo)).stderr).toBe("the model is shown again what was summarised\n");
  expect((await sessions(undo)).stderr).toBe("there is no compaction to undo\n");
});

test("repair makes a copy that takes the place of the damaged session", async () => {
  const id = await made(["import", "-", "--key", "agent:main:main", "--title", "Damaged"], greeting);
  expect(await sessions(["repair", id])).toEqual({
    code: 0,
    stdout: "",
    stderr: `nothing to repair in ${id}\n`,
  });
  const call = answer('{"type":"toolCall","id":"c9","name":"read","arguments":{}}', "toolUse", 9);
  appendFileSync(sessionFile(id), `damaged\n${call}\n{"role":"us`);
  const damaged = readFileSync(sessionFile(id));
  const dry = await sessions(["repair", id, "--dry-run"]);
  expect(dry.stdout).toBe("");
  expect(dry.stderr.split("\n")).toEqual(
    expect.arrayContaining([
      `${id}:6:1   error  json/syntax         expected a value, found d`,
      "2 lines could not be placed:",
      "  line 6: expected a value, found d: damaged",
      '  line 8: expected the rest of the string, found the end of the text: {"role":"us',
      "1 change and 2 lines left out; nothing was written",
    ]),
  );
  expect(readFileSync(sessionFile(id))).toEqual(damaged);

  const { code, stdout, stderr } = await sessions(["repair", id]);
  const copy = stdout.trim();
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(ULID) });
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(
    `1 change and 2 lines left out, in a copy; ${id} is archived as it was`,
  );
  const [found] = JSON.parse((await out(["list", "--json"])).join(""));
  expect(found).toMatchObject({
    id: copy,
    key: "agent:main:main",
    title: "Damaged",
    parent: { session: id },
  });
  expect((await out(["show", "agent:main:main"])).at(-1)).toBe(
    "  ← read failed  no result was recorded for this call",
  );
  // All that was there is still there: the lines, and in a file of its own the one that was torn.
  const folder = path("home/agents/main/sessions");
  const torn = readdirSync(folder).filter((name) => name.includes(".torn-"));
  expect(torn.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(['{"role":"us']);
  expect(readFileSync(sessionFile(id), "utf8")).toMatch(
    /\ndamaged\n.*\n\{"role":"custom","customType":"dragoman\/meta".*\n$/,
  );
  expect((await sessions(["repair", copy])).stderr).toBe(`nothing to repair in ${copy}\n`);
});
