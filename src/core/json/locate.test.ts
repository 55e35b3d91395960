import { describe, expect, test } from "vitest";
import { lineAndColumn, locatePointer, locatePointers } from "./locate.js";

describe("lineAndColumn", () => {
  test.each([
    ["abc", 0, 1, 1],
    ["abc", 3, 1, 4],
    ["a\nb", 1, 1, 2],
    ["a\nb", 2, 2, 1],
    ["a\r\nb", 3, 2, 1],
    ["\n\n", 2, 3, 1],
    ["😀x", 2, 1, 3],
    ["", 0, 1, 1],
  ])("%j at %i", (text, offset, line, column) => {
    expect(lineAndColumn(text, offset)).toEqual({ line, column, offset });
  });
});

describe("locatePointer", () => {
  const text = `{
  "role": "assistant",
  "content": [
    { "type": "text", "text": "a \\"{[,\\\\" },
    [1, [2, 3], {"x": -4.5e1 } ],
    null
  ],
  "a/b~c": { "caf\\u00e9" : true }
}`;

  test.each([
    ["", 1, 1],
    ["/role", 2, 11],
    ["/content", 3, 14],
    ["/content/0", 4, 5],
    ["/content/0/type", 4, 15],
    ["/content/0/text", 4, 31],
    ["/content/1", 5, 5],
    ["/content/1/1", 5, 9],
    ["/content/1/1/1", 5, 13],
    ["/content/1/2/x", 5, 23],
    ["/content/2", 6, 5],
    ["/a~1b~0c", 8, 12],
    ["/a~1b~0c/café", 8, 28],
  ])("finds %j", (pointer, line, column) => {
    expect(locatePointer(text, pointer)).toMatchObject({ line, column });
  });

  test.each([
    ["/missing", 1, 1],
    ["/content/3", 3, 14],
    ["/content/01", 3, 14],
    ["/content/-", 3, 14],
    ["/content/0/type/0", 4, 15],
    ["/content/2/deeper/still", 6, 5],
    ["/content/1/1/7/x", 5, 9],
    ["/x", 1, 1],
    ["/type", 1, 1],
  ])("gives the nearest ancestor of %j", (pointer, line, column) => {
    expect(locatePointer(text, pointer)).toMatchObject({ line, column });
  });

  test("of repeated keys the last one counts, even if it has less inside", () => {
    expect(locatePointer('{"a":1,"b":2,"a":3}', "/a")).toMatchObject({ offset: 17 });
    expect(locatePointer('{"a":{"b":1},"a":{"c":2}}', "/a/b")).toMatchObject({ offset: 17 });
    expect(locatePointer('{"a":{"b":1},"a":[]}', "/a/b")).toMatchObject({ offset: 17 });
    expect(locatePointer('{"a":{"b":1,"b":2},"c":{"b":3}}', "/a/b")).toMatchObject({ offset: 16 });
  });

  test("scalars at the top, space around, and no text", () => {
    expect(locatePointer(" 12 ", "")).toEqual({ line: 1, column: 2, offset: 1 });
    expect(locatePointer('\n"x"', "/y")).toEqual({ line: 2, column: 1, offset: 1 });
    expect(locatePointer(" ", "")).toBeUndefined();
  });

  test("an empty key and __proto__ are keys like others", () => {
    expect(locatePointer('{"":{"__proto__":7}}', "//__proto__")).toMatchObject({ offset: 17 });
  });

  test("100,000 levels", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(locatePointer(deep, "/0".repeat(99_999))).toEqual({ line: 1, column: 100_000, offset: 99_999 });
  });

  test("refuses what is not a pointer", () => {
    expect(() => locatePointer("{}", "a")).toThrow(expect.objectContaining({ code: "json/bad-pointer" }));
  });
});

describe("locatePointers", () => {
  test("finds many in one pass, also one below another and what is not there", () => {
    const text = '{"a":[1,\n {"b":2}],\n"c":"x"}';
    expect(locatePointers(text, ["/a/1/b", "/c", "/a/1", "", "/a/7", "/c"])).toEqual([
      { line: 2, column: 7, offset: 15 },
      { line: 3, column: 5, offset: 24 },
      { line: 2, column: 2, offset: 10 },
      { line: 1, column: 1, offset: 0 },
      { line: 1, column: 6, offset: 5 },
      { line: 3, column: 5, offset: 24 },
    ]);
  });

  test("of a repeated key the last one counts, with all below it", () => {
    expect(locatePointers('{"a":{"b":1},"a":{}}', ["/a", "/a/b"])).toEqual([
      { line: 1, column: 18, offset: 17 },
      { line: 1, column: 18, offset: 17 },
    ]);
  });
});
