import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync, watch } from "node:fs";
import { expect, test } from "vitest";
import { main, workspace } from "../support/cli/run-cli.js";

const plain = '{"role":"user","content":"hello","timestamp":1740000000000}\n';
/** JavaScript has no such number: the one loss that every dialect shares. */
const inexact = '{"role":"user","content":"hello","timestamp":1740000000000,"n":12345678901234567890}\n';
const cutOff = `${plain}{"role":"user",\n`;
const branches = [
  '{"role":"user","content":"start","timestamp":1740000000000,"id":"r","parentId":null}',
  '{"role":"user","content":"left","timestamp":1740000001000,"id":"a","parentId":"r"}',
  '{"role":"user","content":"right","timestamp":1740000002000,"id":"b","parentId":"r"}',
  "",
].join("\n");

const { path, put, get, files, dragoman, shell } = workspace();

test("the result goes to standard output, the summary to standard error", async () => {
  expect(await dragoman(["convert", "--to", "openclaw"], plain)).toEqual({
    code: 0,
    stdout: plain,
    stderr: "converted 1 message from openclaw to openclaw; no losses\n",
  });
});

test("- is standard input and standard output", async () => {
  const { stdout } = await dragoman(["convert", "-", "--to", "openclaw", "-o", "-"], plain);
  expect(stdout).toBe(plain);
});

test("a file appears complete, and nothing beside it", async () => {
  put("in.jsonl", plain.repeat(50_000));
  const { code, stdout } = await dragoman(["convert", "in.jsonl", "--to", "openclaw", "-o", "out.jsonl"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(get("out.jsonl")).toBe(plain.repeat(50_000));
  expect(files()).toEqual(["in.jsonl", "out.jsonl"]);
});

// With the usual umask a new file has 0644, so that these show who has decided.
test.each([0o600, 0o666])("an existing file is replaced and keeps its permissions, %o", async (mode) => {
  put("out.jsonl", "old");
  chmodSync(path("out.jsonl"), mode);
  await dragoman(["convert", "--to", "openclaw", "-o", "out.jsonl"], plain);
  expect(get("out.jsonl")).toBe(plain);
  expect(statSync(path("out.jsonl")).mode & 0o777).toBe(mode);
});

test("what is made of a file is for no one who may not read that file", async () => {
  put("in.jsonl", plain);
  chmodSync(path("in.jsonl"), 0o600);
  await dragoman(["convert", "in.jsonl", "--to", "cline", "-o", "out.json", "--losses", "losses.json"]);
  await dragoman(["repair", "in.jsonl", "-o", "repaired.jsonl"]);
  const modes = ["out.json", "losses.json", "repaired.jsonl"].map(
    (name) => statSync(path(name)).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

test("a conversion that fails leaves an existing file as it was, and no other", async () => {
  put("out.jsonl", "old");
  const args = ["convert", "--to", "openclaw", "-o", "out.jsonl", "--losses", "losses.json"];
  expect(await dragoman(args, cutOff)).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "dragoman: line 2, column 16: expected a key in double quotes, found the end of the text; the text ends before the value does: it was probably cut off [json/syntax]\n",
  });
  expect(get("out.jsonl")).toBe("old");
  expect(files()).toEqual(["out.jsonl"]);
});

test("the losses are shown, and are a failure only with --strict", async () => {
  const loss =
    "converted 1 message from openclaw to openclaw; losses: 0 dropped, 1 approximated, 0 synthesised\n" +
    "  approximated  1 ×  the number 12345678901234567890  it is stored as the double 12345678901234567000\n";
  const loose = await dragoman(["convert", "--to", "openclaw"], inexact);
  expect({ code: loose.code, stderr: loose.stderr }).toEqual({ code: 0, stderr: loss });
  const strict = await dragoman(["convert", "--to", "openclaw", "--strict"], inexact);
  expect({ code: strict.code, stderr: strict.stderr }).toEqual({
    code: 1,
    stderr: `${loss}output written, but something was lost: exiting with code 1 because of --strict\n`,
  });
  expect(strict.stdout).toBe(loose.stdout);
  expect((await dragoman(["convert", "--to", "openclaw", "--strict"], plain)).code).toBe(0);
});

test("--losses writes them all", async () => {
  const args = ["convert", "--to", "openclaw", "-o", "out.jsonl", "--losses", "losses.json"];
  expect((await dragoman(args, plain + inexact.repeat(2))).stderr).toBe(
    "converted 3 messages from openclaw to openclaw; losses: 0 dropped, 2 approximated, 0 synthesised (see losses.json)\n",
  );
  const what = "the number 12345678901234567890";
  const why = "it is stored as the double 12345678901234567000";
  expect(JSON.parse(get("losses.json"))).toEqual([
    { at: "/1", what, why, severity: "approximated" },
    { at: "/2", what, why, severity: "approximated" },
  ]);
  await dragoman(args, plain);
  expect(JSON.parse(get("losses.json"))).toEqual([]);
});

test("the losses may go to standard output, but not together with the result", async () => {
  const { stdout } = await dragoman(
    ["convert", "--to", "openclaw", "-o", "/dev/null", "--losses", "-"],
    inexact,
  );
  expect(JSON.parse(stdout)).toHaveLength(1);
  expect(await dragoman(["convert", "--to", "openclaw", "--losses", "-"], inexact)).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "dragoman: the output and the losses cannot both go to standard output; see `dragoman convert --help` [cli/usage]\n",
  });
});

test.each([
  [["-o", "in.jsonl"], '"in.jsonl" is the input itself'],
  [["-o", "./deeper/../in.jsonl"], '"./deeper/../in.jsonl" is the input itself'],
  [["-o", "out.jsonl", "--losses", "in.jsonl"], '"in.jsonl" is the input itself'],
  [["-o", "out.jsonl", "--losses", "./out.jsonl"], '"./out.jsonl" is the output itself'],
])("%j is refused", async (args, message) => {
  put("in.jsonl", plain);
  mkdirSync(path("deeper"));
  expect(await dragoman(["convert", "in.jsonl", "--to", "openclaw", ...args])).toEqual({
    code: 2,
    stdout: "",
    stderr: `dragoman: ${message}; files are never changed in place; write to another file [cli/usage]\n`,
  });
  expect(get("in.jsonl")).toBe(plain);
  expect(files()).toEqual(["deeper", "in.jsonl"]);
});

test.each([
  ["nowhere/out.jsonl", 'cannot write "nowhere/out.jsonl": the folder does not exist'],
  [".", 'cannot write ".": it is a directory'],
])("-o %s cannot be written", async (out, message) => {
  const { code, stderr } = await dragoman(["convert", "--to", "openclaw", "-o", out], plain);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `dragoman: ${message} [cli/not-writable]\n` });
});

test("a branch is taken from standard input by way of a private copy that does not stay", async () => {
  mkdirSync(path("tmp"));
  const env = { TMPDIR: path("tmp") };
  expect(await dragoman(["convert", "--to", "openclaw", "--leaf", "a"], branches, env)).toEqual({
    code: 0,
    stdout: `${branches.split("\n").slice(0, 2).join("\n")}\n`,
    stderr:
      "converted 2 messages from openclaw to openclaw; losses: 1 dropped, 0 approximated, 0 synthesised\n" +
      "  dropped  1 ×  the user message  it is on another branch\n",
  });
  expect(await dragoman(["convert", "--to", "openclaw", "--leaf", "z"], branches, env)).toEqual({
    code: 2,
    stdout: "",
    stderr: 'dragoman: no message has the id "z"; pass the id of a message in the input [convert/no-leaf]\n',
  });
  expect(readdirSync(path("tmp"))).toEqual([]);
});

test("a pipe that is given as a file is read once", async () => {
  const { code, stdout } = await shell(
    `mkfifo pipe && { printf '%s' "$2" > pipe & } && "$0" "$1" convert pipe --to openclaw --leaf a`,
    branches,
  );
  expect({ code, lines: stdout.split("\n").length - 1 }).toEqual({ code: 0, lines: 2 });
});

test("Ctrl-C takes the unfinished file away", async () => {
  const appeared = once(watch(path(".")), "change");
  const args = [main, "convert", "--from", "openclaw", "--to", "openclaw", "-o", "out.jsonl"];
  const child = spawn(process.execPath, args, { cwd: path(".") });
  await appeared;
  expect(files()).toEqual([expect.stringMatching(/^\.out\.jsonl~[0-9A-Z]{26}\.\d+\.\d+\.[0-9a-f]{8}$/)]);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect(files()).toEqual([]);
});

test("what a killed conversion left beside its output is removed by the next one", async () => {
  const appeared = once(watch(path(".")), "change");
  const args = [main, "convert", "--from", "openclaw", "--to", "openclaw", "-o", "out.jsonl"];
  const child = spawn(process.execPath, args, { cwd: path(".") });
  await appeared;
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(files().length).toBe(1);
  const next = await dragoman(["convert", "--from", "openclaw", "--to", "openclaw", "-o", "out.jsonl"], "");
  expect({ code: next.code, files: files() }).toEqual({ code: 0, files: ["out.jsonl"] });
});
