import { expect, test } from "vitest";
import { painter } from "../terminal/colour.js";
import { contentOf, subjectOf, toolLines } from "./tool-lines.js";

const look = { paint: painter(false), columns: 40 };
const text = (value: string) => [{ type: "text" as const, text: value }];

test("a call is folded to its first lines", () => {
  const content = text("one\n\n\ttwo\nthree\nfour\nfive");
  expect(
    toolLines({ name: "exec", args: { command: "seq 5" }, content, isError: false, ms: 1234 }, look),
  ).toEqual(["● exec seq 5 · 1.2 s", "  one", "    two", "  three", "  … 2 more lines"]);
});

test("a failure shows more, and a long subject is cut", () => {
  const command = "cat a-file-with-a-very-long-name.txt another.txt";
  expect(
    toolLines({ name: "exec", args: { command }, content: text("No such file"), isError: true }, look),
  ).toEqual(["✗ exec cat a-file-with-a-very-long-nam…", "  No such file"]);
});

test("what a terminal would obey does not reach it", () => {
  const [head, line] = toolLines(
    {
      name: "exec",
      args: { command: "\u001b]0;title\u0007ls" },
      content: text("\u001b[2Jx"),
      isError: false,
    },
    look,
  );
  expect([head, line]).toEqual(["● exec ls", "  x"]);
});

test.each([
  [{ file_path: "a.ts", limit: 1 }, "a.ts"],
  [{ timeout: 3, command: "ls" }, "ls"],
  [{ n: 1, city: "Rome" }, "Rome"],
  [{}, ""],
  [undefined, ""],
])("a call with %j is about %j", (args, expected) => {
  expect(subjectOf(args)).toBe(expected);
});

test("a result that is none has no content", () => {
  expect(contentOf({ content: [{ type: "text", text: "a" }, { nothing: 1 }] })).toEqual([
    { type: "text", text: "a" },
  ]);
  expect(contentOf(null)).toEqual([]);
});
