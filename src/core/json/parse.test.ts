import { describe, expect, test } from "vitest";
import { DragomanError } from "../error.js";
import { type ParseOptions, parseJson } from "./parse.js";

function failure(text: string, options?: ParseOptions): DragomanError {
  try {
    parseJson(text, options);
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe("parseJson", () => {
  test.each([
    ["null", null],
    [" [1, -0.5e1, true] ", [1, -5, true]],
    ['{"a":{"b":["\\u00e9\\n"]}}', { a: { b: ["é\n"] } }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['"\\ud800"', "\ud800"],
  ])("accepts %s", (text, value) => {
    expect(parseJson(text)).toStrictEqual(value);
  });

  test("an own __proto__ changes no prototype", () => {
    const value = parseJson('{"__proto__":{"polluted":true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ["", 1, "expected a value, found the end of the text", "the text is empty"],
    ["\t \n", 1, "expected a value, found the end of the text", "the text is empty"],
    ["}", 1, "expected a value, found }", undefined],
    ["[1,]", 4, "expected a value, found ]", "remove the comma before it"],
    ['{"a":1,}', 8, "expected a key in double quotes, found }", "remove the comma before it"],
    ['{"a":}', 6, "expected a value, found }", undefined],
    ["[,1]", 2, "expected a value or ], found ,", undefined],
    [
      "{'a':1}",
      2,
      "expected a key in double quotes or }, found '",
      "use double quotes instead of single quotes",
    ],
    ["['a']", 2, "expected a value or ], found '", "use double quotes instead of single quotes"],
    ["{a:1}", 2, "expected a key in double quotes or }, found a", "put the key in double quotes"],
    ['{"a":1,b:2}', 8, "expected a key in double quotes, found b", "put the key in double quotes"],
    ['{"a" 1}', 6, "expected : after the key, found 1", undefined],
    ['{"a":1 "b":2}', 8, 'expected , or }, found "', undefined],
    ["[1 2]", 4, "expected , or ], found 2", undefined],
    ["[1}", 3, "expected , or ], found }", undefined],
    ["{} x", 4, "expected the end of the text, found x", undefined],
    ["[NaN]", 2, "expected a value or ], found N", "JSON has null, but neither NaN nor None"],
    ["Infinity", 1, "expected a value, found I", "JSON has no Infinity"],
    ["-Infinity", 2, "expected a digit after the minus sign, found I", "JSON has no Infinity"],
    ["[1,undefined]", 4, "expected a value, found u", "JSON has no undefined: write null"],
    ["True", 1, "expected a value, found T", "write true in lower case"],
    ["False", 1, "expected a value, found F", "write false in lower case"],
    ["+1", 1, "expected a value, found +", "a number has no plus sign"],
    [".5", 1, "expected a value, found .", "write a digit before the decimal point"],
    ["01", 2, "expected no digit after a leading zero, found 1", "remove the leading zero"],
    ["1.e2", 3, "expected a digit after the decimal point, found e", undefined],
    ["1e+,", 4, "expected a digit in the exponent, found ,", undefined],
    ["1ex", 3, "expected a digit in the exponent, found x", undefined],
    ["trux", 4, "expected the rest of true, found x", undefined],
    ["// a", 1, "expected a value, found /", "JSON has no comments"],
    ["\ufeff{}", 1, "expected a value, found a byte order mark", "remove the byte order mark"],
    ['"a\nb"', 3, "expected the rest of the string, found a line break", "write it as \\n"],
    ['"a\rb"', 3, "expected the rest of the string, found a carriage return", "write it as \\r"],
    ['"a\tb"', 3, "expected the rest of the string, found a tab", "write it as \\t"],
    [
      '"\u0001"',
      2,
      "expected the rest of the string, found U+0001",
      "write it as \\u and four hexadecimal digits",
    ],
    [
      '"C:\\dir"',
      5,
      'expected one of " \\ / b f n r t u after the backslash, found d',
      "write a literal backslash as \\\\",
    ],
    ['"\\u12g4"', 6, "expected four hexadecimal digits after \\u, found g", undefined],
    ["[\u00a0]", 2, "expected a value or ], found U+00A0", undefined],
    ["[😀]", 2, "expected a value or ], found 😀", undefined],
  ])("refuses %j at column %i", (text, column, message, hint) => {
    const error = failure(text);
    expect(error.code).toBe("json/syntax");
    expect(error.message).toBe(message);
    expect(error.hint).toBe(hint);
    if (text.trim() !== "") expect(error).toMatchObject({ line: 1, column });
  });

  test.each([
    ['{"a":"b', "expected the rest of the string", "the text ends inside a string: it was probably cut off"],
    [
      '["\\',
      'expected one of " \\ / b f n r t u after the backslash',
      "the text ends inside a string: it was probably cut off",
    ],
    [
      '["\\u0',
      "expected four hexadecimal digits after \\u",
      "the text ends inside a string: it was probably cut off",
    ],
    ["[1", "expected , or ]", "the text ends before the value does: it was probably cut off"],
    ["[0", "expected , or ]", "the text ends before the value does: it was probably cut off"],
    ['{"a":1.5', "expected , or }", "the text ends before the value does: it was probably cut off"],
    ['{"a"', "expected : after the key", "the text ends before the value does: it was probably cut off"],
    ['{"a":', "expected a value", "the text ends before the value does: it was probably cut off"],
    [
      "-",
      "expected a digit after the minus sign",
      "the text ends before the value does: it was probably cut off",
    ],
    ["nul", "expected the rest of null", "the text ends before the value does: it was probably cut off"],
  ])("says that %j was cut off", (text, expected, hint) => {
    const error = failure(text);
    expect(error.message).toBe(`${expected}, found the end of the text`);
    expect(error.hint).toBe(hint);
    expect(error).toMatchObject({ code: "json/syntax", line: 1, column: text.length + 1 });
  });

  test("counts lines from the given one and columns in UTF-16 units", () => {
    expect(failure('{\r\n  "😀": x\n}')).toMatchObject({ line: 2, column: 9 });
    expect(failure('{\r\n  "😀": x\n}', { line: 41 })).toMatchObject({ line: 42, column: 9 });
    expect(failure("\n\n[")).toMatchObject({ line: 3, column: 2 });
  });

  test("keeps the engine's error as the cause", () => {
    expect(failure("[").cause).toBeInstanceOf(SyntaxError);
  });
});

describe("the depth limit of parseJson", () => {
  const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test("1000 levels are accepted, 1001 are not", () => {
    expect(JSON.stringify(parseJson(nest(1000)))).toBe(nest(1000));
    expect(failure(nest(1001))).toMatchObject({
      code: "json/too-deep",
      message: "arrays and objects are nested more than 1000 levels deep",
      line: 1,
      column: 1001,
    });
  });

  test("objects count like arrays, members of the innermost do not", () => {
    const text = '{"a":[{"b":[1,"x",null]}]}';
    expect(parseJson(text, { maxDepth: 4 })).toEqual({ a: [{ b: [1, "x", null] }] });
    expect(failure(text, { maxDepth: 3 })).toMatchObject({ code: "json/too-deep", column: 12 });
  });

  test("many brackets side by side, or in strings, are not depth", () => {
    expect(parseJson(`[${"[],{},".repeat(2000)}0]`)).toHaveLength(4001);
    expect(parseJson(`["${"[{".repeat(5000)}"]`)).toEqual(["[{".repeat(5000)]);
  });

  test("100,000 levels do not overflow the stack, complete or not", () => {
    expect(failure(nest(100_000))).toMatchObject({ code: "json/too-deep", column: 1001 });
    expect(failure("[".repeat(100_000))).toMatchObject({ code: "json/too-deep", column: 1001 });
    expect(failure('{"a":'.repeat(100_000))).toMatchObject({ code: "json/too-deep", column: 5001 });
    expect(parseJson(nest(100_000), { maxDepth: 100_000 })).toBeInstanceOf(Array);
    expect(failure("[".repeat(100_000), { maxDepth: 100_000 })).toMatchObject({
      code: "json/syntax",
      column: 100_001,
    });
  });
});
