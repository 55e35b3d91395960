import { expect, test } from "vitest";
import { formatJson } from "./format-json.js";
import { jsonLines, shownLines } from "./json-lines.js";

const lines = jsonLines(formatJson('{"a":{"b":[1,2],"c":"}"},"d":[],"e":"["}'));

test("a line that opens an object or an array knows where it ends", () => {
  expect(lines).toEqual([
    { text: "{", end: 10 },
    { text: '  "a": {', end: 7 },
    { text: '    "b": [', end: 5 },
    { text: "      1," },
    { text: "      2" },
    { text: "    ]," },
    { text: '    "c": "}"' },
    { text: "  }," },
    { text: '  "d": [],' },
    { text: '  "e": "["' },
    { text: "}" },
  ]);
});

test.each([
  ["nothing", [], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ["an inner object", [1], [0, 1, 8, 9, 10]],
  ["an array in a folded object", [1, 2], [0, 1, 8, 9, 10]],
  ["everything", [0], [0]],
])("folding %s", (_, folded, expected) => {
  expect(shownLines(lines, new Set(folded))).toEqual(expected);
});

test("an end without a beginning is a line like any other", () => {
  expect(jsonLines("]\n}")).toEqual([{ text: "]" }, { text: "}" }]);
});
