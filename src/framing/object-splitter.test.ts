import { expect, test } from "vitest";
import { decodeLine, type Line } from "./lines.js";
import { ObjectSplitter } from "./object-splitter.js";

function read(text: string, size: number): string[] {
  const splitter = new ObjectSplitter();
  const bytes = new TextEncoder().encode(text);
  const found: string[] = [];
  const take = (lines: Line[]) => {
    for (const line of lines) found.push(`${line.line}:${line.offset} ${decodeLine(line)}`);
  };
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    take(splitter.push(chunk));
    chunk.fill(0);
  }
  take(splitter.finish());
  return found;
}

test.each<[string, string, string[]]>([
  ["lines", '{"a":1}\n\n{"b":{}}', ['1:0 {"a":1}', "2:8 ", '3:9 {"b":{}}']],
  ["an object", '{\n  "a": {\n  },\n\n  "b": 1\n}\n', ['1:0 {\n  "a": {\n  },\n\n  "b": 1\n}']],
  ["with tabs and CRLF", '{\r\n\t"a": 1\r\n}\r\n', ['1:0 {\r\n\t"a": 1\r\n}\r']],
  ["nothing in it", "{\n}", ["1:0 {\n}"]],
  [
    "one after another, and a line",
    '{\n "a":1\n}\n{\n "b":2\n}\n{"c":3}\n',
    ['1:0 {\n "a":1\n}', '4:11 {\n "b":2\n}', '7:22 {"c":3}'],
  ],
  ["a lone brace above lines", '{\n{"a":1}\n', ["1:0 {", '2:2 {"a":1}']],
  ["one that another one cuts short", '{\n "a":\n{\n}\n', ["1:0 {", '2:2  "a":', "3:8 {\n}"]],
  ["one that breaks off", '{\n "a":1,\n', ["1:0 {", '2:2  "a":1,']],
])("%s", (_, text, expected) => {
  for (const size of [1, 3, 100]) expect(read(text, size)).toEqual(expected);
});
