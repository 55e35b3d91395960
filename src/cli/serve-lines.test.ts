import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Runtime } from "../runtime/runtime.js";
import { printRuns, readableLine } from "./serve-lines.js";
import { painter } from "./terminal/colour.js";

const paint = painter(false);

test("each message, run and failure is a line", async () => {
  const home = await mkdtemp(join(tmpdir(), "dragoman-lines-"));
  const runtime = new Runtime({ home, config: { model: "demo/script" } });
  onTestFinished(async () => {
    await runtime.close();
    await rm(home, { recursive: true, force: true });
  });
  const lines: string[] = [];
  const stop = printRuns(runtime, {
    paint,
    write: (line) => lines.push(line),
    columns: () => 100,
    now: () => 0,
  });
  const send = async (content: string) => {
    const conversation = await runtime.begin({ key: "agent:main:telegram:dm:42" });
    await conversation.send({ role: "user", content, timestamp: 1 });
    await conversation.idle();
    return conversation;
  };
  await send("say: hello\u001b[31m");
  await send("fail: 500 nope");
  const { unused } = await send('call: read {"file_path":"none"}\n---\nsay: done');
  expect(unused, "a conversation that is idle is not kept in memory").toBe(true);
  stop();
  await send("say: unseen");
  expect(
    lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, "").replace(/\d+ tokens/, "9 tokens")),
  ).toEqual([
    "› main telegram:dm:42  say: hello",
    "● main telegram:dm:42  answered in 0.0 s · demo/script · 9 tokens · ?",
    "› main telegram:dm:42  fail: 500 nope",
    "✗ main telegram:dm:42  failed after 0.0 s: HTTP 500 nope: as the script says [provider/http]",
    '› main telegram:dm:42  call: read {"file_path":"none"} --- say: done',
    "● main telegram:dm:42  answered in 0.0 s · demo/script · 1 tool call · 9 tokens · ?",
  ]);
});

test("a line of the log is one for people", () => {
  const line = readableLine(
    '{"level":"error","time":"2026-01-15T10:00:00.000Z","channel":"telegram","err":{"message":"no \\u001b[2J route"},"msg":"could not send an answer"}\n',
    { paint, now: () => 0 },
  );
  expect(line.replace(/^\d\d:\d\d:\d\d/, "TIME")).toBe(
    "TIME  ✗ could not send an answer: no route: channel telegram",
  );
});
