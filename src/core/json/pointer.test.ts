import { describe, expect, test } from "vitest";
import { formatPointer, isPointer, joinPointer, parsePointer, resolvePointer } from "./pointer.js";

describe("formatPointer and parsePointer", () => {
  test.each([
    ["", []],
    ["/", [""]],
    ["/a", ["a"]],
    ["/a/0/b", ["a", "0", "b"]],
    ["/a~1b/m~0n", ["a/b", "m~n"]],
    ["/~01", ["~1"]],
    ["/~1~0//x y", ["/~", "", "x y"]],
    ["/é/😀", ["é", "😀"]],
  ])("%j", (pointer, tokens) => {
    expect(formatPointer(tokens)).toBe(pointer);
    expect(parsePointer(pointer)).toEqual(tokens);
  });

  test("numbers are tokens too", () => {
    expect(formatPointer(["content", 12, "text"])).toBe("/content/12/text");
    expect(joinPointer("/content", 12, "a/b")).toBe("/content/12/a~1b");
    expect(joinPointer("", 0)).toBe("/0");
    expect(joinPointer("/a")).toBe("/a");
  });

  test.each(["a", "a/b", "#/a", "/~", "/~2", "/a~b"])("refuses %j", (pointer) => {
    expect(() => parsePointer(pointer)).toThrow(expect.objectContaining({ code: "json/bad-pointer" }));
  });
});

test.each([
  ["/", true],
  ["/a~1b/0", true],
  ["", false],
  ["a", false],
  ["/a~", false],
])("%j is a pointer to something in a value: %s", (text, expected) => expect(isPointer(text)).toBe(expected));

describe("resolvePointer", () => {
  const value = { a: [10, { "b/c": null }], "": 1, "m~n": 2, length: 3 };

  test.each([
    ["", value],
    ["/", 1],
    ["/a/0", 10],
    ["/a/1/b~1c", null],
    ["/m~0n", 2],
    ["/length", 3],
    ["/x", undefined],
    ["/a/2", undefined],
    ["/a/-", undefined],
    ["/a/00", undefined],
    ["/a/length", undefined],
    ["/a/0/x", undefined],
    ["/a/1/b~1c/x", undefined],
    ["/toString", undefined],
    ["/__proto__", undefined],
    ["/constructor", undefined],
  ])("%j", (pointer, expected) => {
    expect(resolvePointer(value, pointer)).toBe(expected);
  });

  test("an own __proto__ is found", () => {
    expect(resolvePointer(JSON.parse('{"__proto__":{"x":1}}'), "/__proto__/x")).toBe(1);
  });

  test("a string has no members", () => {
    expect(resolvePointer("abc", "/0")).toBeUndefined();
  });
});
