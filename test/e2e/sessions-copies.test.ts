import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, greeting, sessionHome, ULID } from "../support/session-home.js";

const { path, put, get, files, sessions, made, out, sessionFile } = sessionHome();

describe("export and import", () => {
  test("an export is a conversion of the session", async () => {
    const id = await made(["import", "-"], greeting);
    const same = await sessions(["export", id, "--to", "openclaw"]);
    expect(same).toEqual({
      code: 0,
      stdout: readFileSync(sessionFile(id), "utf8"),
      stderr: "converted 4 messages from openclaw to openclaw; no losses\n",
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
    expect(escrow.stderr).toBe("converted 4 messages from openclaw to cline; no losses\n");
    expect((await sessions(["export", id])).stderr).toBe(
      "dragoman: missing option --to DIALECT; see `dragoman sessions export --help` [cli/usage]\n",
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
      ["custom", undefined],
    ]);
    const other = await made(["import", "tree.jsonl", "--leaf", "m2"]);
    expect((await out(["show", other])).slice(-3)).toEqual([
      "  Europe.",
      "",
      "Import from openclaw: left out the user message (it is on another branch)",
    ]);
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
      `imported 4 messages from openclaw; no losses\nagent:ops:main pointed to ${before}, which is still available by id\n`,
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
    stderr: `the model is now shown this summary; \`dragoman sessions compact ${id} --undo\` undoes this\n`,
  });
  expect(JSON.parse(stdout)).toEqual({
    session: id,
    changed: true,
    summary: expect.stringContaining("0 word word"),
  });
  expect((await sessions(["show", id])).stdout).toContain("summary of everything above, for the model");
  const undo = ["compact", id, "--undo"];
  expect((await sessions(undo)).stderr).toBe("the model is shown the full history again\n");
  expect((await sessions(undo)).stderr).toBe("no compaction to undo\n");
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
    `1 change and 2 lines left out, in a copy; ${id} is archived unchanged`,
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
