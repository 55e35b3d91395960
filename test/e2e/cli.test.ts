import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { workspace } from "../support/cli/run-cli.js";

const plain = '{"role":"user","content":"hello","timestamp":1740000000000}\n';
const { put, get, files, dragoman, shell } = workspace();

describe("the program", () => {
  test("the version alone", async () => {
    expect(await dragoman(["--version"])).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
  });

  test.each([
    [
      ["sesions"],
      'dragoman: unknown command "sesions" (did you mean "sessions"?); `dragoman --help` lists the commands [cli/usage]\n',
    ],
    [["bogus"], 'dragoman: unknown command "bogus"; `dragoman --help` lists the commands [cli/usage]\n'],
    [
      ["convert", "--bogus"],
      "dragoman: unknown option '--bogus'; see `dragoman convert --help` [cli/usage]\n",
    ],
    [["convert", "x"], "dragoman: missing option --to DIALECT; see `dragoman convert --help` [cli/usage]\n"],
    [["check"], "dragoman: missing argument IN; see `dragoman check --help` [cli/usage]\n"],
    [["check", "a", "b"], 'dragoman: unexpected argument "b"; see `dragoman check --help` [cli/usage]\n'],
    [
      ["replay", "x", "--to", "openclaw", "--speed", "fast"],
      'dragoman: --speed must be a number such as 2 or 0.5, not "fast"; see `dragoman replay --help` [cli/usage]\n',
    ],
    [
      ["detect", "missing.jsonl"],
      'dragoman: no such file: "missing.jsonl"; check the path, or pass `-` to read standard input [cli/no-file]\n',
    ],
    [["detect", "."], 'dragoman: cannot read ".": it is a directory [cli/not-readable]\n'],
  ])("%j is refused in one line", async (args, stderr) => {
    expect(await dragoman(args)).toEqual({ code: 2, stdout: "", stderr });
  });

  test("an unknown dialect is refused with the names of those there are", async () => {
    const { code, stderr } = await dragoman(["convert", "--to", "klingon"], plain);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^dragoman: unknown dialect "klingon"; known dialects: .*openclaw.* \[convert\/unknown-dialect\]\n$/,
    );
  });

  test.each(commands.map(({ name }) => name))("the help of %s has an example", async (name) => {
    const { code, stdout, stderr } = await dragoman([name, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: dragoman ${name}`);
    expect(stdout).toMatch(new RegExp(`Examples:\\n  .*dragoman ${name}`));
  });

  test("an input without end does not keep it, whether it succeeds or fails", async () => {
    const endless = `yes '${plain.trim()}'`;
    expect((await shell(`${endless} | "$0" "$1" detect - | head -n 1`)).stdout).toMatch(/^ \d\d% {2}\w/);
    const failed = await shell(`${endless} | "$0" "$1" convert --to openclaw -o nowhere/out.jsonl`);
    expect(failed).toEqual({
      code: 2,
      stdout: "",
      stderr: 'dragoman: cannot write "nowhere/out.jsonl": the folder does not exist [cli/not-writable]\n',
    });
  });

  test("a reader that goes away ends it quietly", async () => {
    put("long.jsonl", plain.repeat(100_000));
    const { stdout, stderr } = await shell(
      '{ "$0" "$1" convert long.jsonl --to openclaw; echo "exit $?" >&2; } | head -n 1',
    );
    expect({ stdout, stderr }).toEqual({ stdout: plain, stderr: "exit 0\n" });
  });
});

describe("detect and dialects", () => {
  test("detect tells the likeliest first", async () => {
    const call =
      '{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],"isError":false,"timestamp":1740000000000}\n';
    const { code, stdout, stderr } = await dragoman(["detect", "-"], call);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^ 95% {2}openclaw\n/);
    const json = await dragoman(["detect", "-", "--json"], call);
    expect(JSON.parse(json.stdout)[0]).toEqual({ dialect: "openclaw", confidence: 0.95 });
  });

  test("what could be two dialects alike is said to be so", async () => {
    const both =
      '{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"name":"a","input_schema":{}}],"response_format":{}}';
    expect(await dragoman(["detect", "-"], both)).toEqual({
      code: 0,
      stdout: " 95%  anthropic\n 95%  openai-chat\n",
      stderr: "the input could be anthropic or openai-chat; pass --from to the other commands\n",
    });
    expect(await dragoman(["convert", "--to", "openclaw"], both)).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "dragoman: the input could be anthropic or openai-chat; pass --from anthropic or --from openai-chat [convert/undetected]\n",
    });
  });

  test("a first line longer than any sample is still a line", async () => {
    const long = `{"role":"user","content":"${"x".repeat(3_000_000)}","timestamp":1740000000000}\n${plain}`;
    const { code, stdout } = await dragoman(["detect", "-", "--json"], long);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({ dialect: "openclaw", confidence: 0.7 });
  });

  test("what is nothing known is unusable", async () => {
    expect(await dragoman(["detect", "-", "--json"], "hello")).toEqual({
      code: 2,
      stdout: "[]\n",
      stderr:
        '{"error":{"code":"convert/undetected","message":"the input matches no dialect","hint":"choose one with --from; `dragoman dialects` lists them"}}\n',
    });
    expect((await dragoman(["detect", "-"], "")).stderr).toBe(
      "dragoman: the input is empty; pass a transcript [convert/undetected]\n",
    );
  });

  test("dialects lists what there is", async () => {
    const { code, stdout } = await dragoman(["dialects", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      name: "openclaw",
      title: "OpenClaw transcript",
      kind: "transcript",
      reads: true,
      writes: true,
      streams: false,
      conversations: false,
      extension: "jsonl",
    });
    expect(JSON.parse(stdout)).toContainEqual({
      name: "chatgpt",
      title: "ChatGPT data export",
      kind: "transcript",
      reads: true,
      writes: false,
      streams: false,
      conversations: true,
      extension: "json",
    });
    expect(JSON.parse(stdout)).toContainEqual({
      name: "html",
      title: "HTML page",
      kind: "transcript",
      reads: false,
      writes: true,
      streams: false,
      conversations: false,
      extension: "html",
    });
    const human = await dragoman(["dialects"]);
    expect(human.stdout).toMatch(/^openclaw +transcript +OpenClaw transcript$/m);
  });
});

describe("check and repair", () => {
  const seconds = '{"role":"user","content":"hello","timestamp":1740000000}\n';

  test("a good transcript has no problems", async () => {
    put("in.jsonl", plain);
    expect(await dragoman(["check", "in.jsonl"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "no problems in in.jsonl (openclaw)\n",
    });
    expect(await dragoman(["check", "in.jsonl", "--json"])).toEqual({
      code: 0,
      stdout: '{"dialect":"openclaw","problems":[]}\n',
      stderr: "",
    });
  });

  test("any problem is exit code 1, a warning too", async () => {
    put("in.jsonl", seconds);
    expect(await dragoman(["check", "in.jsonl"])).toEqual({
      code: 1,
      stdout:
        "in.jsonl:1:46  warning  openclaw/seconds  the timestamp is in seconds; the format has milliseconds\n" +
        "  hint: write 1740000000000\n",
      stderr: "0 errors and 1 warning in in.jsonl (openclaw)\n",
    });
    const { code, stdout } = await dragoman(["check", "in.jsonl", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      dialect: "openclaw",
      problems: [
        {
          at: "/0/timestamp",
          line: 1,
          column: 46,
          code: "openclaw/seconds",
          message: "the timestamp is in seconds; the format has milliseconds",
          hint: "write 1740000000000",
          severity: "warning",
        },
      ],
    });
  });

  test("two hundred rows are enough for a person, not for a program", async () => {
    put("in.jsonl", seconds.repeat(250));
    const human = await dragoman(["check", "in.jsonl"]);
    const rows = human.stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(401);
    expect(rows.at(-1)).toBe("… and 50 more (--json lists all)");
    const json = await dragoman(["check", "in.jsonl", "--json"]);
    expect(JSON.parse(json.stdout).problems).toHaveLength(250);
  });

  test("an unknown provider is refused", async () => {
    expect(await dragoman(["check", "-", "--for", "eliza"], plain)).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'dragoman: --for must be one of anthropic, openai-chat, openai-responses, google, ollama, bedrock, not "eliza"; see `dragoman check --help` [cli/usage]\n',
    });
  });

  test("repair never touches its input", async () => {
    put("in.jsonl", plain);
    expect((await dragoman(["repair", "in.jsonl", "-o", "in.jsonl"])).code).toBe(2);
    expect(await dragoman(["repair", "in.jsonl"])).toEqual({
      code: 0,
      stdout: plain,
      stderr: "nothing to repair in in.jsonl (openclaw); the input is untouched\n",
    });
    expect(await dragoman(["repair", "in.jsonl", "--dry-run", "-o", "out.jsonl"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "nothing to repair in in.jsonl (openclaw); nothing was written\n",
    });
    expect(files()).toEqual(["in.jsonl"]);
    expect((await dragoman(["repair", "in.jsonl", "-o", "out.jsonl"])).stderr).toBe(
      "nothing to repair in in.jsonl (openclaw); written to out.jsonl\n",
    );
    expect(get("out.jsonl")).toBe(plain);
  });
});

describe("replay and tour", () => {
  test("replay writes every record, without waiting when asked", async () => {
    for (const speed of ["inf", "0"]) {
      expect(await dragoman(["replay", "-", "--to", "openclaw", "--speed", speed], plain.repeat(3))).toEqual({
        code: 0,
        stdout: plain.repeat(3),
        stderr: "replayed standard input from openclaw to openclaw; no losses\n",
      });
    }
  });

  test("the tour ends well, names every step's command, and has no colours off a terminal", async () => {
    const { code, stdout, stderr } = await dragoman(["tour"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/\$ dragoman \w+/g)).toEqual([
      "$ dragoman detect",
      "$ dragoman check",
      "$ dragoman convert",
      "$ dragoman convert",
    ]);
    expect(stdout).toContain('0]}             →  {"path":"src/greet.ts","lines":[1,40]}');
    expect(stdout).toMatch(/✓ identical after \d+ dialects:\n {5}openclaw, openclaw-turns, pi, /);
    expect(stdout.split("\n").length).toBeLessThanOrEqual(49);
    expect(stdout).not.toContain("✗");
    expect(stdout).not.toContain("\u001b");
  });

  test("the tour prints its results as JSON", async () => {
    const { code, stdout, stderr } = await dragoman(["tour", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { detected, problems, conversions, roundTrips } = JSON.parse(stdout);
    expect(detected[0].dialect).toBe("openclaw");
    expect(problems.map(({ severity }: { severity: string }) => severity)).toEqual(["warning", "error"]);
    expect(conversions).toContainEqual({
      dialect: "openclaw",
      losses: { dropped: 0, approximated: 0, synthesised: 0 },
    });
    expect(roundTrips).toContainEqual({ dialect: "pi", identical: true });
    expect(roundTrips.filter(({ identical }: { identical: boolean }) => !identical)).toEqual([]);
  });
});
