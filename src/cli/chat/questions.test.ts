import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { painter } from "../terminal/colour.js";
import { Questions } from "./questions.js";

let folder: string;
let told: string[];
let now: number;
let questions: Questions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dragoman-questions-"));
  await writeFile(join(folder, "a.txt"), "one\ntwo\n");
  told = [];
  now = 10_000;
  questions = new Questions({
    paint: painter(false),
    show: (lines) => told.push(...lines),
    workspace: async () => folder,
    answer: async (id, answer) => {
      told.push(`${id} ${answer}`);
      return answer !== "session";
    },
    onOpen: () => told.push("open"),
    onClose: () => told.push("close"),
    onError: (error) => told.push(String(error)),
    now: () => now,
  });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const call = (name: string, args: Record<string, unknown>) => ({
  id: "q1",
  subject: "a.txt",
  asked: 1,
  expires: 2,
  toolCall: { type: "toolCall" as const, id: "c1", name, arguments: args },
});

test("an edit is shown as a diff and answered with one key", async () => {
  questions.add(call("edit", { file_path: "a.txt", edits: [{ old_string: "two", new_string: "zwei" }] }));
  // Before the question is visible, no key can answer it.
  expect(questions.intercept("y")).toBe(true);
  await vi.waitFor(() =>
    expect(told).toEqual(["open", "? Allow edit: a.txt", "  @@ -1,2 +1,2 @@", "   one", "  -two", "  +zwei"]),
  );
  expect(questions.intercept("x")).toBe(true);
  expect(questions.hint).toBe("answer y, a or n: y once · a always in this session · n no");
  for (const key of "what") questions.intercept(key);
  expect(questions.intercept("\u0003")).toBe(false);
  now += 1_000;
  expect(questions.intercept("y")).toBe(true);
  questions.end("q1");
  expect(told.slice(-2)).toEqual(["q1 once", "close"]);
});

test("a file that is replaced is shown as a diff, too", async () => {
  questions.add(call("write", { file_path: "a.txt", content: "one\n2\n" }));
  await vi.waitFor(() => expect(told.slice(-2)).toEqual(["  -two", "  +2"]));
});

test("who was typing must press Enter", async () => {
  questions.intercept("h");
  now += 200;
  questions.add(call("exec", { command: "ls" }));
  await vi.waitFor(() => expect(told.at(-1)).toBe("  command: ls"));
  expect(questions.hint).toBe("y once · a always in this session · n no · then Enter");
  expect(questions.intercept("y")).toBe(false);
  questions.submit("n");
  expect(told.at(-1)).toBe("q1 never");
});

test("a question right after an answer takes one key, too", async () => {
  questions.add(call("exec", { command: "ls" }));
  await vi.waitFor(() => expect(told.at(-1)).toBe("  command: ls"));
  questions.intercept("y");
  questions.end("q1");
  now += 50;
  questions.add({ ...call("exec", { command: "pwd" }), id: "q2" });
  await vi.waitFor(() => expect(told.at(-1)).toBe("  command: pwd"));
  expect(questions.hint).toBe("y once · a always in this session · n no");
  expect(questions.intercept("n")).toBe(true);
  expect(told.at(-1)).toBe("q2 never");
});

test("a request that was answered elsewhere is reported", async () => {
  questions.add(call("exec", { command: "ls" }));
  await vi.waitFor(() => expect(told.at(-1)).toBe("  command: ls"));
  questions.intercept("a");
  await vi.waitFor(() =>
    expect(told.slice(-3)).toEqual([
      "q1 session",
      "close",
      "This request was answered elsewhere, or it has expired.",
    ]),
  );
});
