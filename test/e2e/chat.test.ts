import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { is } from "../../src/core/index.js";
import { hasPython, openTerminal } from "../support/cli/pseudo-terminal.js";
import { main, workspace } from "../support/cli/run-cli.js";

const { path, put, get, dragoman } = workspace();

/** Nobody's keys and settings. */
const clean = {
  DRAGOMAN_MODEL: "",
  ANTHROPIC_API_KEY: "",
  ANTHROPIC_AUTH_TOKEN: "",
  OPENAI_API_KEY: "",
  GEMINI_API_KEY: "",
  GOOGLE_API_KEY: "",
};

const env = () => ({ ...clean, DRAGOMAN_HOME: path("home") });
const chat = (args: string[], input = "") => dragoman(["chat", "-p", ...args], input, env());
const script = (steps: string, args: string[] = []) => chat(["--model", "demo/script", ...args], steps);

/** `user: hi` for each message of the only session there is. */
function told(): string[] {
  const folder = path("home/agents/main/sessions");
  const [name = "", ...others] = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  expect(others).toEqual([]);
  return readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ role }) => role !== "session" && role !== "custom")
    .map(({ role, content, stopReason }) => {
      const text =
        typeof content === "string"
          ? content
          : content.map((block: { text?: string; type: string }) => block.text ?? block.type).join("|");
      return `${role}${stopReason === undefined ? "" : ` (${stopReason})`}: ${text}`;
    });
}

const goOn = /continue with: dragoman chat --session ([0-9A-Z]{26})\n$/;

describe("in a pipe", () => {
  test("the answer alone is on standard output, and no index was touched", async () => {
    const { code, stdout, stderr } = await chat([], "hi\n");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
    expect(stderr).toMatch(
      /^No model is configured, so demo\/echo repeats your messages\. Set ANTHROPIC_API_KEY/,
    );
    expect(stderr).toMatch(goOn);
    expect(existsSync(path("home/index"))).toBe(false);
  });

  test("the words and the input are one message", async () => {
    const { stdout } = await chat(["Say", "this:"], "one\ntwo\n");
    expect(stdout).toBe("Say this:\n\none\ntwo\n");
    expect(told()[0]).toBe("user: Say this:\n\none\ntwo");
  });

  test("text is not changed, and every answer begins a line", async () => {
    const steps = 'say: **a** \u001b[31mb\ncall: read {"file_path":"none"}\n---\nsay: c';
    const { code, stdout, stderr } = await script(steps);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "**a** \u001b[31mb\n\nc\n" });
    expect(stderr).toMatch(/^✗ read none · \d\.\d s\n {2}.*none/);
  });

  test("what needs a permission is denied, unless a rule allows it", async () => {
    const steps = 'call: exec {"command":"echo $((6*7))"}\n---\nsay: end';
    const denied = await script(steps);
    expect(denied.stderr).toContain("needs approval, but no approver is present");
    put("home/config.json", '{"agents":{"main":{"permissions":[{"tool":"exec","action":"allow"}]}}}');
    const { code, stdout, stderr } = await script(steps);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "end\n" });
    expect(stderr).toMatch(/^● exec echo \$\(\(6\*7\)\) · \d\.\d s\n {2}42\n/);
  });

  test("a model that fails: exit code 1", async () => {
    const { code, stdout, stderr } = await script("fail: 500");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("dragoman: HTTP 500: as the script says [provider/http]\n");
  });

  test("a model that breaks off: what it said, and exit code 1", async () => {
    const { code, stdout, stderr } = await script("say: I was\ncut");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "I was\n" });
    expect(stderr).toContain("dragoman: the stream ended before its terminal event [provider/failed]\n");
  });

  test("--json prints the events, none of them with the message under construction", async () => {
    const { code, stdout } = await script("say: a b", ["--json"]);
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(
      events.map(({ type, assistantMessageEvent: step }) =>
        step === undefined ? type : `${type} ${step.type}`,
      ),
    ).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_update text_start",
      "message_update text_delta",
      "message_update text_delta",
      "message_update text_end",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(stdout).not.toContain('"partial"');
    expect(events.filter((event) => !is("AgentEventLine", event))).toEqual([]);
    expect(events[4].message.content).toEqual([]);
  });

  test("--json of a run that fails has one line for each event, too", async () => {
    const { code, stdout } = await script("fail: 401", ["--json"]);
    expect(code).toBe(1);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter((event) => !is("AgentEventLine", event))).toEqual([]);
    expect(events.map(({ type }) => type).slice(-4)).toEqual([
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(events.at(-2).message).toMatchObject({ role: "assistant", content: [], stopReason: "error" });
  });

  test("--partial adds the message so far to each update", async () => {
    const { code, stdout } = await script("say: a b", ["--partial"]);
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter((event) => !is("AgentEvent", event))).toEqual([]);
    expect(
      events
        .filter(({ type }) => type === "message_update")
        .map(({ message, assistantMessageEvent }) => [
          message.content,
          assistantMessageEvent.partial.content,
        ]),
    ).toEqual(["", "a", "a b", "a b"].map((text) => [[{ type: "text", text }], [{ type: "text", text }]]));
  });

  test.each([
    [[], "nothing to ask: give a PROMPT, or pipe text to standard input"],
    [["--session", "x", "--continue"], "--session and --continue cannot be combined"],
    [
      ["--session", "x", "--agent", "main"],
      "--agent cannot be used with --session: that session already has an agent",
    ],
  ])("%j is refused", async (args, message) => {
    expect(await chat(args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `dragoman: ${message}; see \`dragoman chat --help\` [cli/usage]\n`,
    });
  });

  test.each([
    [["--session", "nothing"], "log/no-session"],
    [["--session", "01ARZ3NDEKTSV4RRFFQ69G5FAV"], "log/no-session"],
    [["--continue"], "log/no-session"],
    [["--agent", "nobody"], "config/no-agent"],
    [["--model", "nobody/x"], "provider/unknown"],
    [["--model", "x"], "provider/unknown"],
  ])("%j is not there", async (args, code) => {
    const finished = await chat([...args, "hi"]);
    expect({ code: finished.code, stdout: finished.stdout }).toEqual({ code: 2, stdout: "" });
    expect(finished.stderr).toMatch(new RegExp(`^dragoman: .* \\[${code}\\]\n$`));
    expect(existsSync(path("home/agents"))).toBe(false);
  });

  test("an input that is no text is refused", async () => {
    const { code, stderr } = await dragoman(["chat", "-p"], Buffer.from([0x61, 0xff]), env());
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "dragoman: standard input is not valid UTF-8 [framing/invalid-utf8]\n",
    });
  });
});

describe("a session", () => {
  test("is continued, by its id, the beginning of it, and as the latest; its model stays", async () => {
    const { stderr } = await script("say: one");
    const [, id = ""] = goOn.exec(stderr) ?? [];
    expect((await chat(["--session", id], "say: two")).stdout).toBe("two\n");
    expect((await chat(["--continue"], "say: three")).stdout).toBe("three\n");
    expect((await chat(["--session", id.slice(0, 20)], "say: four")).stdout).toBe("four\n");
    expect(told()).toEqual([
      "user: say: one",
      "assistant (stop): one",
      "user: say: two",
      "assistant (stop): two",
      "user: say: three",
      "assistant (stop): three",
      "user: say: four",
      "assistant (stop): four",
    ]);
  });

  test("has a key of its own that can be given", async () => {
    await chat(["--session", "agent:main:main"], "one");
    await chat(["--session", "agent:main:main"], "two");
    expect(told()).toEqual(["user: one", "assistant (stop): one", "user: two", "assistant (stop): two"]);
  });

  test("with nothing unanswered needs a prompt", async () => {
    await chat([], "one");
    const { code, stderr } = await chat(["--continue"]);
    expect(code).toBe(2);
    expect(stderr).toContain("nothing to ask, and no message in the session is unanswered");
  });
});

/** A chat that is under way. */
function begun(steps: string, ...args: string[]) {
  const child = spawn(process.execPath, [main, "chat", "-p", "--model", "demo/script", ...args], {
    env: { ...process.env, ...env() },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(steps);
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const until = (isReady: (shown: string) => boolean) =>
    vi.waitFor(() => expect(isReady(shown)).toBe(true), { timeout: 30_000 });
  return { child, ended, until };
}

describe("interrupted", () => {
  test("by Ctrl-C: exit code 130, and what was said is kept", async () => {
    const { child, ended, until } = begun("say: half an answer\nstall");
    await until((shown) => shown.includes("half an answer"));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(told()).toEqual(["user: say: half an answer\nstall", "assistant (aborted): half an answer"]);
    expect((await chat(["--continue"], "say: more")).stdout).toBe("more\n");
  });

  test("by a kill that nobody can catch: what was said is found, and the chat goes on", async () => {
    const { child, ended, until } = begun("say: half an answer\nstall");
    const runs = path("home/runs");
    const onDisk = () =>
      readdirSync(runs)
        .map((name) => readFileSync(join(runs, name), "utf8"))
        .join("");
    await until((shown) => shown.includes("half an answer") && onDisk().includes("answer"));
    child.kill("SIGKILL");
    expect(await ended).toBe(null);
    expect((await chat(["--continue"], "say: more")).stdout).toBe("more\n");
    expect(told()).toEqual([
      "user: say: half an answer\nstall",
      "assistant (error): half an answer",
      "user: say: more",
      "assistant (stop): more",
    ]);
  });

  test("while a tool runs: resumed, the call is closed and answered", async () => {
    put("home/config.json", '{"agents":{"main":{"permissions":[{"tool":"exec","action":"allow"}]}}}');
    const steps = 'call: exec {"command":"sleep 3"}\n---\nsay: done after all';
    const { child, ended, until } = begun(steps, "--json");
    await until((shown) => shown.includes("tool_execution_start"));
    child.kill("SIGKILL");
    expect(await ended).toBe(null);
    const { code, stdout } = await chat(["--continue"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done after all\n" });
  });
});

if (!hasPython) process.stderr.write("skipped: a pseudo-terminal needs python3 with its module pty\n");

describe.skipIf(!hasPython)("on a terminal", () => {
  const open = (args: string[], columns = 80) =>
    openTerminal(["chat", "--model", "demo/script", ...args], {
      columns,
      env: { ...env(), NO_COLOR: "1" },
      cwd: path("."),
    });

  test("Ctrl-C stops an answer and not the program, a tool is asked for, and /usage tells", async () => {
    const { type, until, untilGone, screen, ended } = open([]);
    await until("workspace: ");
    type("say: half an answer\\\rstall\r");
    await until("\nhalf an answer\n");
    type("a draft");
    type("\u0003");
    await until("\nstopped\n");
    await until("› a draft");
    type("\u0003");
    type('call: exec {"command":"echo $((6*7))"}\\\r---\\\rsay: it said so\r');
    await until("y once · a always in this session · n no");
    type("what?\r");
    type("y\r");
    await until("\nit said so\n");
    await untilGone(" · Ctrl-C to stop");
    type("/usgae\r");
    await until("unknown command /usgae; did you mean /usage?");
    type("/usage\r");
    await until("price unknown");
    type("\u0003");
    await until("press Ctrl-C again to exit");
    type("\u0003");
    expect(await ended).toBe(0);
    const text = screen
      .text()
      .replace(/\d\.\d s/, "0.1 s")
      .replace(/[0-9A-Z]{26}/g, "ID")
      .replace(/\d+ in/, "9 in");
    expect(text).toBe(
      [
        "main on demo/script · type /help for commands, Ctrl-D to exit",
        `workspace: ${realpathSync(path("."))}`,
        "",
        "› say: half an answer",
        "  stall",
        "",
        "half an answer",
        "",
        "stopped",
        "",
        '› call: exec {"command":"echo $((6*7))"}',
        "  ---",
        "  say: it said so",
        "",
        'Request to demo/script: left out an answer that ended in "aborted" (an',
        "incomplete answer is not sent back to a model); details: dragoman sessions show",
        "ID --losses",
        "? Allow exec: echo $((6*7))",
        "● exec echo $((6*7)) · 0.1 s",
        "  42",
        "",
        "it said so",
        "",
        "› /usgae",
        "",
        "unknown command /usgae; did you mean /usage?",
        "",
        "› /usage",
        "",
        "demo/script",
        "  9 in · 18 out · price unknown",
        "press Ctrl-C again to exit",
        "continue with: dragoman chat --session ID",
        "",
      ].join("\n"),
    );
  });

  test("a resumed session shows how it ended; what is typed meanwhile waits; a fork and an export", async () => {
    await script("say: **first** answer");
    const { type, until, untilGone, ended } = open(["--continue"], 64);
    await until("› say: **first** answer\n\n**first** answer\n");
    type("\u001b[200~say: busy\nstall\u001b[201~\r");
    await until("\nbusy\n");
    type("say: patience\r");
    await until("1 queued");
    type("/export out.json\r");
    await until("/export is not available while an answer is running;");
    type("\u0003");
    await until("\n› say: patience\n\npatience\n");
    await untilGone(" · Ctrl-C to stop");
    type("/export out.json --to cline\r");
    await until("losses: ");
    type("/fork\r");
    await until("a copy of");
    type("\u0004");
    expect(await ended).toBe(0);
    expect(JSON.parse(get("out.json")).messages.at(-1).content).toEqual([{ type: "text", text: "patience" }]);
    expect(
      readdirSync(path("home/agents/main/sessions")).filter((name) => name.endsWith(".jsonl")),
    ).toHaveLength(2);
    expect(get("home/chat-history")).toContain("say: patience\n");
  });

  test("somebody who says nothing leaves nothing behind", async () => {
    const { type, until, ended } = open([]);
    await until("Ctrl-D to exit");
    type("\u0004");
    expect(await ended).toBe(0);
    expect(existsSync(path("home/agents"))).toBe(false);
  });
});
