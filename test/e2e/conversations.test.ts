import { mkdirSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";

const { path, put, get, dragoman } = workspace();

const conversation = (id: string, name: string, text: string) => ({
  uuid: id,
  name,
  created_at: "2026-01-05T10:00:00Z",
  chat_messages: [
    {
      uuid: `${id}-1`,
      sender: "human",
      text,
      created_at: "2026-01-05T10:00:01Z",
      attachments: [],
      files: [],
    },
  ],
});
const two = JSON.stringify([conversation("a", "Tea", "one"), conversation("b", "../Tea:\u0007*", "two")]);

test("without a choice the conversations are listed, with exit code 2 and no output", async () => {
  put("conversations.json", two);
  expect(await dragoman(["convert", "conversations.json", "--to", "openclaw"])).toEqual({
    code: 2,
    stdout: "",
    stderr: [
      "1  2026-01-05  1 message  Tea",
      "2  2026-01-05  1 message  ../Tea:\uFFFD*",
      "dragoman: the file holds 2 conversations; choose one with `dragoman convert --conversation ID|TITLE|N`, or convert all with --all -o FOLDER [convert/many-conversations]",
      "",
    ].join("\n"),
  });
});

test.each([
  ["a file", "in.json"],
  ["standard input", "-"],
])("one is chosen from %s", async (_, input) => {
  put("in.json", two);
  const { code, stdout } = await dragoman(
    ["convert", input, "--to", "openclaw", "--conversation", "b"],
    input === "-" ? two : undefined,
  );
  expect(code).toBe(0);
  const [session, message] = stdout.split("\n").map((line) => (line === "" ? {} : JSON.parse(line)));
  expect([session.id, message.content]).toEqual(["b", "two"]);
});

describe("--all", () => {
  test("writes safe names and overwrites nothing", async () => {
    put("in.json", two);
    mkdirSync(path("out"));
    put("out/Tea.json", "mine");
    const args = ["convert", "in.json", "--to", "cline", "--all", "-o", "out", "--losses", "losses.json"];
    const { code, stdout, stderr } = await dragoman(args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^converted 2 conversations from claude-ai to cline in out; losses: /);
    expect(readdirSync(path("out")).sort()).toEqual(["Tea 2.json", "Tea 3.json", "Tea.json"]);
    expect(get("out/Tea.json")).toBe("mine");
    const places: string[] = JSON.parse(get("losses.json")).map(({ at }: { at: string }) => at.slice(0, 2));
    expect([...new Set(places)]).toEqual(["/0", "/1"]);
  });

  test("a conversation that cannot be read is reported with its place, and the others are written", async () => {
    put("in.json", two.replace('"human"', '"robot"'));
    const { code, stderr } = await dragoman(["convert", "in.json", "--to", "openclaw", "--all", "-o", "out"]);
    expect(code).toBe(2);
    expect(stderr).toContain("conversation 1: line 1, column 103, at /0/chat_messages/0/sender: expected");
    expect(stderr).toContain("1 conversation could not be read");
    expect(readdirSync(path("out"))).toEqual(["Tea.jsonl"]);
  });

  test.each([
    ["no folder", ["--all"], "--all needs a folder: -o FOLDER"],
    [
      "a choice",
      ["--all", "-o", "out", "--conversation", "1"],
      "--all and --conversation exclude each other",
    ],
  ])("%s is wrong usage", async (_, more, message) => {
    put("in.json", two);
    const { code, stderr } = await dragoman(["convert", "in.json", "--to", "openclaw", ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a dialect with one conversation in each file has no --all", async () => {
    put("in.jsonl", '{"role":"user","content":"hello","timestamp":1740000000000}\n');
    const { code, stderr } = await dragoman(["convert", "in.jsonl", "--to", "pi", "--all", "-o", "out"]);
    expect(code).toBe(2);
    expect(stderr).toContain("a file in the dialect openclaw holds one conversation");
  });
});

test("check and view use one conversation", async () => {
  put("in.json", two);
  expect(await dragoman(["check", "in.json", "--conversation", "2"])).toMatchObject({
    code: 0,
    stderr: "no problems in in.json (claude-ai)\n",
  });
  expect((await dragoman(["check", "in.json"])).code).toBe(2);
  expect((await dragoman(["view", "in.json", "--html", "a.html"])).code).toBe(2);
  expect((await dragoman(["view", "in.json", "--conversation", "2", "--html", "a.html"])).code).toBe(0);
});

test("detect needs only the first conversation of a large file", async () => {
  const large = conversation("c", "Large", "x".repeat(3_000_000));
  put("in.json", JSON.stringify([large, large]).slice(0, -10));
  const { code, stdout, stderr } = await dragoman(["detect", "in.json"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: " 95%  claude-ai\n" });
  expect(stderr).toBe("a claude-ai file can hold several conversations; `dragoman convert` lists them\n");
});
