import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LineEditor } from "./line-editor.js";

function open(history: string[] = []) {
  const input = new PassThrough();
  const happened: string[] = [];
  const editor = new LineEditor({
    input,
    history,
    onChange: () => undefined,
    onEnter: (text) => happened.push(`enter ${text}`),
    onInterrupt: () => happened.push("interrupt"),
    onEnd: () => happened.push("end"),
  });
  /** Keys are dealt with as they are written. */
  const type = (keys: string) => {
    input.write(keys);
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { editor, type, happened, history };
}

test("a line", async () => {
  const { editor, type, happened } = open();
  await type("helo\u001b[Dl");
  expect([editor.text, editor.cursor]).toEqual(["hello", 4]);
  await type("\r");
  expect([editor.text, happened]).toEqual(["", ["enter hello"]]);
});

test("a backslash at the end makes another line, and backspace takes it back", async () => {
  const { editor, type, happened } = open();
  await type("one\\\rtwo");
  expect([editor.text, editor.cursor]).toEqual(["one\ntwo", 7]);
  await type("\u0001\u007f");
  expect([editor.text, editor.cursor]).toEqual(["onetwo", 3]);
  await type(" \r");
  expect(happened).toEqual(["enter one two"]);
});

test("what is pasted in the middle of a line stays there", async () => {
  const { editor, type } = open();
  await type("onethree\u001b[D\u001b[D\u001b[D\u001b[D\u001b[D");
  await type("\u001b[200~ twö \u001b[201~");
  expect([editor.text, editor.cursor]).toEqual(["one twö three", 8]);
});

test("what is pasted waits for Enter, however many lines it has", async () => {
  const { editor, type, happened } = open();
  await type("\u001b[200~if (a) {\r\tb\\\r}\u001b[201~");
  expect([editor.text, happened]).toEqual(["if (a) {\n\tb\\\n}", []]);
  await type("\r");
  expect(happened).toEqual(["enter if (a) {\n\tb\\\n}"]);
});

test("a draft is put aside for a question; the answer is no history", async () => {
  const { editor, type, happened } = open(["before"]);
  await type("a\\\rdraft");
  editor.stashDraft();
  expect(editor.text).toBe("");
  await type("y\r");
  editor.restoreDraft();
  expect([editor.text, happened]).toEqual(["a\ndraft", ["enter y"]]);
  await type("\u0003");
  editor.set("");
  await type("\u001b[A");
  expect(editor.text).toBe("a\\");
});

test("Ctrl-C interrupts, and Ctrl-D in an empty line ends", async () => {
  const { type, happened } = open();
  await type("x\u0003\u0004");
  expect(happened).toEqual(["interrupt"]);
  await type("\u007f\u0004");
  expect(happened).toEqual(["interrupt", "end"]);
});
