import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { painter } from "../terminal/colour.js";
import type { Completions } from "./completions.js";
import { InputOverlay } from "./input-overlay.js";
import { LineEditor } from "./line-editor.js";

const words = ["/help ", "/model", "/model2"];

function open(history: string[] = []) {
  const input = new PassThrough();
  const entered: string[] = [];
  const overlay = new InputOverlay({
    editor: () => editor,
    history,
    complete: async (before): Promise<Completions> => ({
      from: 0,
      items: words.filter((value) => value.startsWith(before)).map((value) => ({ value, text: "x" })),
    }),
    onChange: () => undefined,
    onError: (error) => entered.push(String(error)),
    paint: painter(false),
  });
  const editor: LineEditor = new LineEditor({
    input,
    history,
    intercept: (key) => overlay.intercept(key),
    onChange: () => undefined,
    onEnter: (text) => entered.push(text),
    onInterrupt: () => entered.push("interrupt"),
    onEnd: () => undefined,
  });
  const type = async (keys: string) => {
    input.write(keys);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { editor, overlay, type, entered };
}

const size = { columns: 40, rows: 10 };

test("Tab completes what is unambiguous", async () => {
  const { editor, overlay, type } = open();
  await type("/he\t");
  expect([editor.text, overlay.lines(size)]).toEqual(["/help ", []]);
});

test("Tab completes what all choices share, lists them, and then goes through them", async () => {
  const { editor, overlay, type, entered } = open();
  await type("/m\t");
  expect([editor.text, overlay.lines(size)]).toEqual(["/model", ["  /model   x", "  /model2  x"]]);
  await type("\t\t");
  expect([editor.text, overlay.lines(size)]).toEqual(["/model2", ["  /model   x", "❯ /model2  x"]]);
  await type("\u001b[Z\r");
  expect([editor.text, overlay.lines(size), entered]).toEqual(["/model", [], []]);
  await type(" y\r");
  expect(entered).toEqual(["/model y"]);
});

test("text after the cursor stays", async () => {
  const { editor, type } = open();
  await type("/heX\u001b[D\t");
  expect([editor.text, editor.cursor]).toEqual(["/help X", 6]);
});

test("a pasted tab is text", async () => {
  const { editor, type } = open();
  await type("\u001b[200~/he\tx\u001b[201~");
  expect(editor.text).toBe("/he\tx");
});

test("Ctrl-R finds what was typed before, and Ctrl-G brings the draft back", async () => {
  const { editor, overlay, type, entered } = open(["git status", "npm test", "git diff"]);
  await type("draft\u0012GIT");
  expect([editor.text, overlay.lines(size)]).toEqual(["git status", ["search: GIT"]]);
  await type("\u0012");
  expect(editor.text).toBe("git diff");
  await type("\u0007");
  expect([editor.text, overlay.lines(size)]).toEqual(["draft", []]);
  await type("\u0012npm\r");
  expect(entered).toEqual(["npm test"]);
});

test("a choice is made with the arrows and Enter, or not at all", async () => {
  const { overlay, type, entered } = open();
  const items = [
    { value: "1", label: "one" },
    { value: "2", label: "two" },
  ];
  const chosen = overlay.pick("Which?", items);
  expect(overlay.lines(size)).toEqual(["Which?", "❯ one", "  two"]);
  await type("\u001b[B\r");
  expect(await chosen).toEqual({ value: "2", label: "two" });
  const none = overlay.pick("Which?", items);
  await type("x\u001b");
  expect([await none, entered]).toEqual([undefined, []]);
});
