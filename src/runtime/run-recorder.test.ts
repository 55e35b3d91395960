import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answer } from "../../test/fakes/scripted-model.js";
import { event, isText, user } from "../../test/fakes/watching.js";
import { RunMarkFile } from "../log/files/run-mark-file.js";
import { interruptedRunIn, RunRecorder } from "./run-recorder.js";
import { Runtime } from "./runtime.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dragoman-mark-"));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const unfinished = answer([]);

function markFile(): RunMarkFile {
  return new RunMarkFile(join(folder, "mark"), async () => undefined);
}

function recorder(): RunRecorder {
  return new RunRecorder(markFile(), () => "01BEFORE");
}

/** What the next process finds in the mark. */
async function left() {
  return interruptedRunIn((await markFile().read()) ?? "no mark");
}

test("words that a full disk did not take are written with those after them", async () => {
  const mark = recorder();
  await mark.open();
  mark.beginAnswer(unfinished);
  await mark.push({ type: "text_start", contentIndex: 0 });
  const write = vi.spyOn(RunMarkFile.prototype, "append");
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "one " });
  write.mockRejectedValueOnce(full);
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "two " });
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(2));
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "three" });
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(3));
  await mark.close();
  expect(await left()).toMatchObject({
    cut: { after: "01BEFORE", message: { content: [{ type: "text", text: "one two three" }] } },
  });
});

test("the second answer of a run is left as the first would be", async () => {
  const mark = recorder();
  await mark.open();
  for (const words of ["the first answer, which is the longer one", "second"]) {
    await mark.clearAnswer();
    mark.beginAnswer(unfinished);
    await mark.push({ type: "text_start", contentIndex: 0 });
    await mark.push({ type: "text_delta", contentIndex: 0, delta: words });
  }
  await mark.close();
  expect(await left()).toMatchObject({
    cut: { after: "01BEFORE", message: { content: [{ type: "text", text: "second" }] } },
  });
});

test.each([
  ["cleared", (mark: RunRecorder) => mark.clearAnswer(), {}],
  ["left", (mark: RunRecorder) => mark.close(), { cut: { message: { content: [{ text: "words" }] } } }],
] as const)("a mark is %s only when what is being written is in it", async (_, end, expected) => {
  const mark = recorder();
  await mark.open();
  mark.beginAnswer(unfinished);
  const { append } = RunMarkFile.prototype;
  let goOn = () => {};
  const writing = new Promise<void>((begun) => {
    vi.spyOn(RunMarkFile.prototype, "append").mockImplementationOnce(async function (
      this: RunMarkFile,
      text,
    ) {
      begun();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return append.call(this, text);
    });
  });
  await mark.push({ type: "text_start", contentIndex: 0 });
  const pushing = mark.push({ type: "text_delta", contentIndex: 0, delta: "words" });
  await writing;
  let isOver = false;
  const ending = end(mark).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  goOn();
  await Promise.all([pushing, ending]);
  expect(await left()).toMatchObject(expected);
  expect((await left()).cut === undefined).toBe(!("cut" in expected));
  await mark.close();
});

test("words are in the mark before they are shown, and out of it before the run goes on", async () => {
  const steps: string[] = [];
  const { push, clearAnswer: clear } = RunRecorder.prototype;
  vi.spyOn(RunRecorder.prototype, "push").mockImplementation(async function (this: RunRecorder, given) {
    await push.call(this, given);
    await new Promise(setImmediate);
    if (given.type === "text_delta") steps.push(`${given.delta} written`);
  });
  vi.spyOn(RunRecorder.prototype, "clearAnswer").mockImplementation(async function (this: RunRecorder) {
    await clear.call(this);
    await new Promise(setImmediate);
    steps.push("cleared");
  });
  const runtime = new Runtime({ home: folder, config: { model: "demo/script" } });
  const conversation = await runtime.begin({ key: "agent:main:main" });
  conversation.watch((seen) => {
    if (seen.type !== "agent") return;
    const { event: shown } = seen;
    if (shown.type === "turn_end") steps.push("turn_end");
    if (shown.type !== "message_update" || shown.assistantMessageEvent.type !== "text_delta") return;
    steps.push(`${shown.assistantMessageEvent.delta} shown`);
  });
  await conversation.send(user("say: one two"));
  await conversation.idle();
  await runtime.close();
  expect(steps).toEqual([
    "one written",
    "one shown",
    " two written",
    " two shown",
    "cleared",
    "turn_end",
    "cleared",
  ]);
});

test("another process may run a session only when this one writes into its mark no more", async () => {
  const steps: string[] = [];
  const leave = RunRecorder.prototype.close;
  vi.spyOn(RunRecorder.prototype, "close").mockImplementation(async function (this: RunRecorder) {
    await leave.call(this);
    steps.push("mark closed");
  });
  const runtime = new Runtime({ home: folder, config: { model: "demo/script" } });
  const lease = runtime.log.lease.bind(runtime.log);
  vi.spyOn(runtime.log, "lease").mockImplementation(async (id) => {
    const given = await lease(id);
    const release = given?.release;
    if (given !== undefined && release !== undefined) {
      given.release = () => {
        steps.push("lease released");
        return release();
      };
    }
    return given;
  });
  const conversation = await runtime.begin({ key: "agent:main:main" });
  const begun = event(conversation, isText);
  await conversation.send(user("say: half\nstall"));
  await begun;
  await runtime.close();
  expect(steps).toEqual(["mark closed", "lease released"]);
});

test.each([
  ["without its beginning", { type: "text_delta", contentIndex: 0, delta: "late" }],
  ["out of order", { type: "text_end", contentIndex: 3 }],
])("a mark %s leaves nothing, and prevents nothing", (_, event) => {
  expect(interruptedRunIn(`${JSON.stringify({ after: "01BEFORE" })}\n${JSON.stringify(event)}\n`)).toEqual(
    {},
  );
});

test.each([
  ["is missing", [0, 2], "one "],
  ["is repeated", [0, 1, 1, 2], "one two three"],
])("what was written after a part that %s is not misread", async (_, order, text) => {
  const parts: string[] = [];
  const done = async () => undefined;
  const append = async (part: string) => void parts.push(part);
  const memory = { read: done, open: done, clear: done, remove: done, close: done, append };
  const mark = new RunRecorder(memory, () => "01BEFORE");
  mark.beginAnswer(unfinished);
  for (const [index, delta] of ["one ", "two ", "three"].entries()) {
    await mark.push({ type: "text_delta", contentIndex: 0, delta });
    await vi.waitFor(() => expect(parts).toHaveLength(index + 1));
  }
  await mark.close();
  expect(interruptedRunIn(order.map((index) => parts[index]).join(""))).toMatchObject({
    cut: { after: "01BEFORE", message: { content: [{ type: "text", text }] } },
  });
});
