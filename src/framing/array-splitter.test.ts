import { expect, test } from "vitest";
import { ArraySplitter, type Member } from "./array-splitter.js";

/** Each member as `[index, line, column, text]`, with the input cut into chunks of that many bytes. */
function split(text: string, size = 1_000): unknown[][] {
  const bytes = new TextEncoder().encode(text);
  const splitter = new ArraySplitter();
  const members: Member[] = [];
  for (let at = 0; at < bytes.length; at += size)
    members.push(...splitter.push(bytes.subarray(at, at + size)));
  members.push(...splitter.finish());
  return members.map(({ index, line, column, offset, bytes: own }) => {
    expect(bytes.subarray(offset, offset + own.length)).toEqual(own);
    return [index, line, column, new TextDecoder().decode(own).trim()];
  });
}

const cases: [string, string, unknown[][]][] = [
  [
    "members on one line",
    '[{"a":1},{"b":[2,3]}]',
    [
      [0, 1, 2, '{"a":1}'],
      [1, 1, 10, '{"b":[2,3]}'],
    ],
  ],
  [
    "pretty-printed",
    '[\n  {\n    "a": "x"\n  },\n  {}\n]\n',
    [
      [0, 2, 3, '{\n    "a": "x"\n  }'],
      [1, 5, 3, "{}"],
    ],
  ],
  [
    "brackets, commas, quotes and backslashes in strings",
    '[{"a":"]},{["},{"b":"\\"],\\\\"},"c"]',
    [
      [0, 1, 2, '{"a":"]},{["}'],
      [1, 1, 16, '{"b":"\\"],\\\\"}'],
      [2, 1, 31, '"c"'],
    ],
  ],
  [
    "numbers and other values",
    "[1 , null]",
    [
      [0, 1, 2, "1"],
      [1, 1, 6, "null"],
    ],
  ],
  ["no members", " [ ] ", []],
  ["one value", '{"a":[1,2]}\n', [[undefined, 1, 1, '{"a":[1,2]}']]],
  ["a byte order mark", "\uFEFF[1]", [[0, 1, 2, "1"]]],
  [
    "characters of two, three and four bytes",
    '["é€🐢",1]',
    [
      [0, 1, 2, '"é€🐢"'],
      [1, 1, 9, "1"],
    ],
  ],
  ["nothing", "", []],
];

test.each(cases)("%s", (_, text, members) => {
  expect(split(text)).toEqual(members);
  for (const size of [1, 2, 3, 7]) expect(split(text, size)).toEqual(members);
});

test.each([
  ["two commas", "[1,,2]", 4],
  ["a trailing comma", "[1,]", 4],
  ["text after the end", "[1] x", 5],
  ["no end", "[1,2", 5],
])("%s is refused with its place", (_, text, column) => {
  expect(() => split(text)).toThrow(expect.objectContaining({ code: "json/syntax", line: 1, column }));
});
