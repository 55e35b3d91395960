import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Readable, Transform, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import { expect, onTestFinished, test } from "vitest";
import { linesOf, type Update } from "../fakes/acp-client.js";
import { FrameJudge } from "../support/acp-schema.js";
import { main } from "../support/cli/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `dragoman acp` as a program, driven by the official client. Every frame in both directions passes through here. */
function start(home: string) {
  const child = spawn(process.execPath, [main, "acp", "--home", home], {
    env: { ...process.env, DRAGOMAN_MODEL: "demo/script" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const judge = new FrameJudge();
  const updates: Update[] = [];
  const asked: unknown[] = [];
  const waiting: (() => void)[] = [];
  const until = async (line: string) => {
    while (!linesOf(updates).includes(line)) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const sent = eachLine((frame) => {
    if (typeof frame.method === "string" && frame.id !== undefined) judge.expect(frame.id, frame.method);
  });
  // Anything but a frame on standard output fails the test.
  const received = eachLine((frame) => judge.judge(frame));
  sent.pipe(child.stdin);
  const { agent } = client({ name: "test" })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params.toolCall.title);
      return { outcome: { outcome: "selected", optionId: "once" } };
    })
    .onNotification("session/update", ({ params }) => {
      updates.push({ ...params.update });
      for (const wake of waiting.splice(0)) wake();
    })
    .connect(ndJsonStream(Writable.toWeb(sent), bytesOf(child.stdout.pipe(received))));
  return { agent, child, updates, asked, judge, until };
}

function eachLine(use: (frame: { method?: string; id?: unknown }) => void): Transform {
  let rest = "";
  return new Transform({
    transform(chunk, _, done) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) use(JSON.parse(line));
      done(null, chunk);
    },
  });
}

function bytesOf(stream: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      stream.on("data", (chunk: Uint8Array) => controller.enqueue(chunk));
      stream.on("end", () => controller.close());
    },
  });
}

const text = (words: string) => [{ type: "text" as const, text: words }];

test("the official client drives dragoman acp: new, prompt, permission, cancel, list, load", async () => {
  const home = temporaryFolder();
  const cwd = realpathSync(temporaryFolder());
  writeFileSync(join(cwd, "a.txt"), "one\n");
  const first = start(home);
  const { agent, updates } = first;
  expect(await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} })).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "dragoman" },
  });
  const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
  const edit = { file_path: "a.txt", edits: [{ old_string: "one", new_string: "two" }] };
  const script = `think: Let me see.\nsay: I change it.\ncall: edit ${JSON.stringify(edit)}\n---\nsay: Done.`;
  expect(await agent.request("session/prompt", { sessionId, prompt: text(script) })).toEqual({
    stopReason: "end_turn",
  });
  expect(first.asked).toEqual(["edit: a.txt"]);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");

  const stalled = agent.request("session/prompt", { sessionId, prompt: text("say: half\nstall") });
  await first.until("agent half");
  await agent.notify("session/cancel", { sessionId });
  expect(await stalled).toEqual({ stopReason: "cancelled" });
  expect(await agent.request("session/list", { cwd })).toMatchObject({ sessions: [{ sessionId, cwd }] });
  const seen = linesOf(updates);
  first.child.stdin.end();
  expect(await once(first.child, "exit")).toEqual([0, null]);
  expect(first.judge.judged).toBeGreaterThan(10);

  const second = start(home);
  await second.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  await second.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(linesOf(second.updates)).toEqual([
    `user ${script}`,
    "thought Let me see.",
    "agent I change it.",
    "call edit: a.txt",
    "call_1_0 completed",
    "agent Done.",
    "user say: half\nstall",
    "agent half",
  ]);
  const live = linesOf(second.updates).filter((line) => !line.startsWith("user "));
  expect(live).toEqual(seen.filter((line) => !line.endsWith("in_progress")));
  expect(idsIn(second.updates)).toEqual(idsIn(storedIn(home)));
});

/** The messages in the home's only session. */
function storedIn(home: string): Record<string, unknown>[] {
  const folder = join(home, "agents/main/sessions");
  const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ id }) => ({ messageId: id }));
}

/** In order, each once. */
function idsIn(messages: readonly Record<string, unknown>[]): unknown[] {
  return [...new Set(messages.map((message) => message["messageId"]).filter((id) => id !== undefined))];
}
