import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { echoProgram } from "../../../test/fakes/mcp/stdio-echo.js";
import { isAlive } from "../../../test/support/process-alive.js";
import { McpClient } from "./client.js";
import { StdioTransport } from "./stdio-transport.js";

const base = { env: { PATH: process.env["PATH"] ?? "" }, cwd: tmpdir() };

async function connect(program: string, lines: string[] = []) {
  const command = { ...base, command: process.execPath, args: ["-e", program] };
  const client = await McpClient.connect({
    open: (events) => new StdioTransport(command, events),
    onLine: (line) => lines.push(line),
  });
  onTestFinished(() => client.close());
  return client;
}

async function textOf(client: McpClient, name: string, args = {}): Promise<string> {
  const { content = [] } = await client.callTool(name, args);
  const [block] = content as { text: string }[];
  return block?.text ?? "";
}

test("calls tools of a process, and logs its standard error without control characters", async () => {
  const lines: string[] = [];
  const client = await connect(echoProgram({ stderr: "\x1b[31mstarted\x1b]0;title\x07\nhalf" }), lines);
  expect(await textOf(client, "echo", { text: "hello" })).toBe("hello");
  expect(client.agreement.server).toEqual({ name: "echo", version: "1.0.0" });
  expect(lines).toEqual(["started"]);
  await client.close();
});

test("a crash fails the calls under way, with the exit code", async () => {
  const client = await connect(echoProgram({ stderr: "out of memory\n" }));
  await expect(client.callTool("crash", {})).rejects.toThrow(
    "the process exited with code 3; its last output was: out of memory",
  );
});

test("a program that does not exist is named", async () => {
  const open = McpClient.connect({
    open: (events) => new StdioTransport({ ...base, command: "no-such-program", args: [] }, events),
  });
  await expect(open).rejects.toThrow('the program "no-such-program" was not found');
});

test("a line that is not a message is logged and skipped", async () => {
  const lines: string[] = [];
  const client = await connect(`console.log("Welcome!");${echoProgram()}`, lines);
  expect(await textOf(client, "echo", { text: "x" })).toBe("x");
  expect(lines).toEqual(["not a message: Welcome!"]);
});

test("closing ends the process, also one that ignores the end of its input and SIGTERM", async () => {
  for (const stubborn of [false, true]) {
    const client = await connect(echoProgram({ stubborn }));
    const pid = Number(await textOf(client, "pid"));
    expect(isAlive(pid)).toBe(true);
    await client.close();
    expect(isAlive(pid)).toBe(false);
  }
}, 15_000);
