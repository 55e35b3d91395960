import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Finished, workspace } from "../support/cli/run-cli.js";

const { path, get, dragoman } = workspace();

const id = "6f0d2f4e-2b1c-4d7e-9f00-000000000001";
const damaged = "70a1b2c3-2b1c-4d7e-9f00-000000000002";
const time = '"timestamp":"2026-01-05T09:00:01.000Z"';
const header = (session: string) =>
  `{"type":"session","version":3,"id":"${session}",${time},"cwd":"/home/ada/engine"}`;
const said = (entry: string, parent: string, text: string) =>
  `{"type":"message","id":"${entry}","parentId":${parent},${time},"message":{"role":"user","content":"${text}","timestamp":1767603601000}}`;
const good = [
  header(id),
  said("e1", "null", "Count to three."),
  said("e2", '"e1"', "Never mind."),
  said("e3", '"e1"', "In French."),
  "",
].join("\n");
const torn = [
  header(damaged),
  said("e1", "null", "Before."),
  "damaged",
  said("e2", '"e1"', "After."),
  "",
].join("\n");

function sessions(args: string[]): Promise<Finished> {
  return dragoman(["sessions", ...args, "--home", "openclaw"], "", { TZ: "UTC" });
}

const fileOf = (session: string) => path(`openclaw/agents/main/sessions/${session}.jsonl`);

function openclawHome(): void {
  mkdirSync(path("openclaw/agents/main/sessions"), { recursive: true });
  writeFileSync(fileOf(id), good);
  writeFileSync(fileOf(damaged), torn);
}

function state(): unknown[] {
  return [id, damaged].map((session) => [
    readFileSync(fileOf(session), "utf8"),
    statSync(fileOf(session), { bigint: true }).mtimeNs,
  ]);
}

const refusal = `dragoman: session ${id} was written by another program and is never modified; \`dragoman sessions fork ${id}\` makes an editable copy [log/foreign]\n`;

test("no command changes what another program wrote", async () => {
  openclawHome();
  const before = state();
  const codes: Record<string, number | null> = {};
  for (const args of [
    ["list"],
    ["show", id],
    ["show", id, "--last", "1"],
    ["show", damaged],
    ["search", "French"],
    ["stats"],
    ["stats", id],
    ["export", id, "--to", "openclaw", "-o", "out.jsonl"],
    ["fork", id],
    ["fork", id, "--at", "e1"],
    ["compact", id],
    ["compact", id, "--undo"],
    ["archive", id],
    ["archive", id, "--undo"],
    ["repair", id],
    ["repair", damaged, "--dry-run"],
    ["repair", damaged],
    ["list", "--all"],
  ]) {
    codes[args.join(" ")] = (await sessions(args)).code;
    expect(state()).toEqual(before);
  }
  expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([
    [`show ${damaged}`, 2],
    [`compact ${id}`, 2],
    [`compact ${id} --undo`, 2],
    [`archive ${id}`, 2],
    [`archive ${id} --undo`, 2],
  ]);
}, 180_000);

test("an OpenClaw home is listed, read and searched as it is", async () => {
  openclawHome();
  expect((await sessions(["list"])).stdout.split("\n")).toEqual([
    "ID          AGENT  TITLE            MESSAGES  COST  LAST        WHERE",
    "6f0d2f4e-2  main   Count to three.         2    $0  2026-01-05  /home/ada/engine (foreign)",
    "70a1b2c3-2  main   (unreadable)            0    $0  –           (foreign) (damaged)",
    "",
  ]);
  expect((await sessions(["show", id])).stdout.split("\n")).toEqual([
    `Count to three.  ${id}`,
    "agent main  /home/ada/engine  written by another program",
    "2 messages  0 in, 0 out  $0",
    "",
    "user  2026-01-05 09:00",
    "  Count to three.",
    "",
    "user  2026-01-05 09:00",
    "  In French.",
    "",
  ]);
  expect((await sessions(["search", "french"])).stdout.split("\n")[1]).toBe(
    "  user  2026-01-05 09:00  In «French».",
  );
  expect((await sessions(["archive", id])).stderr).toBe(refusal);
});

test("a fork is a session of ours, and goes back to pi as it was", async () => {
  openclawHome();
  const copy = (await sessions(["fork", id])).stdout.trim();
  const [own, source, ...messages] = (await sessions(["show", copy, "--raw"])).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(own).toMatchObject({ role: "session", agent: "main", parent: { session: id } });
  expect(source).toMatchObject({
    role: "custom",
    customType: "dragoman/source",
    data: { role: "session", id, ext: { pi: { version: 3, cwd: "/home/ada/engine" } } },
  });
  const note = messages.pop();
  expect(messages.map(({ id, content }) => [id, content])).toEqual([
    ["e1", "Count to three."],
    ["e3", "In French."],
  ]);
  expect(note).toMatchObject({
    customType: "dragoman/losses",
    data: {
      border: "import",
      target: "pi",
      losses: [{ why: "it is on another branch", severity: "dropped" }],
    },
  });
  await sessions(["export", copy, "--to", "pi", "-o", "pi.jsonl"]);
  const entries = get("pi.jsonl").split("\n");
  expect(entries).toEqual(
    expect.arrayContaining([said("e1", "null", "Count to three."), said("e3", '"e1"', "In French.")]),
  );
});

test("a damaged one is repaired in a session of ours", async () => {
  openclawHome();
  const { code, stdout, stderr } = await sessions(["repair", damaged]);
  expect({ code, told: stderr.trimEnd().split("\n").at(-1) }).toEqual({
    code: 0,
    told: `1 line left out, in a copy; ${damaged} is unchanged`,
  });
  const shown = (await sessions(["show", stdout.trim()])).stdout.trimEnd().split("\n");
  expect(shown.filter((line) => line.startsWith("  "))).toEqual(["  Before.", "  After."]);
});
