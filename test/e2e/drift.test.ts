import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";

const { put, dragoman } = workspace();

const line = '{"role":"user","content":"hello","timestamp":1740000000000}\n';
const odd = '{"role":"user","content":"hello","timestamp":1740000000000,"mood":"secret","/home/ann":1}\n';

test("unknown shapes are listed without content, and are not an error", async () => {
  put("in.jsonl", line + odd + odd);
  expect(await dragoman(["check", "in.jsonl", "--drift"])).toEqual({
    code: 0,
    stdout: [
      "KIND  PATH   TYPE    COUNT  FIRST",
      "user  mood   string  2      line 2",
      "user  {key}  number  2      line 2",
      "",
    ].join("\n"),
    stderr:
      "2 unknown shapes in in.jsonl (openclaw)\n" +
      "The table has no content of the file: paste it into an issue of the Dragoman project.\n",
  });
});

test("as JSON", async () => {
  put("in.jsonl", `${line + odd}broken\n`);
  expect(await dragoman(["check", "in.jsonl", "--drift", "--json"])).toEqual({
    code: 0,
    stdout:
      '{"dialect":"openclaw","shapes":[' +
      '{"kind":"user","path":"mood","type":"string","count":1,"at":"/1","line":2},' +
      '{"kind":"user","path":"{key}","type":"number","count":1,"at":"/1","line":2}' +
      '],"more":0,"unread":1}\n',
    stderr: "",
  });
});

test("a file with known shapes only, from standard input", async () => {
  expect(await dragoman(["check", "-", "--drift", "--from", "openclaw"], line)).toEqual({
    code: 0,
    stdout: "",
    stderr: "nothing unknown in standard input (openclaw)\n",
  });
});

test("a dialect without a list is refused with those that have one", async () => {
  put("in.json", '[{"role":"user","content":"hello"}]');
  expect(await dragoman(["check", "in.json", "--drift", "--from", "ai-sdk"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "dragoman: there is no list of the known shapes of ai-sdk; --drift examines openclaw, pi, cline, claude-code, codex, opencode, gemini-cli, qwen-code, copilot-cli, cursor [cli/usage]\n",
  });
});

test("--for does not apply", async () => {
  put("in.jsonl", line);
  expect(await dragoman(["check", "in.jsonl", "--drift", "--for", "anthropic"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "dragoman: --drift and --for cannot be combined; see `dragoman check --help` [cli/usage]\n",
  });
});
