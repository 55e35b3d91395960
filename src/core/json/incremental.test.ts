import { describe, expect, test } from "vitest";
import { DragomanError } from "../error.js";
import { IncrementalJson } from "./incremental.js";

/** What `value` is after each of the deltas, as copies. */
function partials(...deltas: string[]): unknown[] {
  const json = new IncrementalJson();
  return deltas.map((delta) => {
    json.push(delta);
    return structuredClone(json.value);
  });
}

function finishError(json: IncrementalJson): DragomanError {
  try {
    json.finish();
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe("partial values", () => {
  test("nothing is certain before the first character of a value", () => {
    expect(new IncrementalJson().value).toBeUndefined();
    expect(partials(" ", "\n", "[")).toEqual([undefined, undefined, []]);
  });

  test("a member appears when its value begins", () => {
    expect(partials("{", '"ci', 'ty"', ":", '"', "Par", 'is"', ',"n":', "[", "{", "}]}")).toEqual([
      {},
      {},
      {},
      {},
      { city: "" },
      { city: "Par" },
      { city: "Paris" },
      { city: "Paris" },
      { city: "Paris", n: [] },
      { city: "Paris", n: [{}] },
      { city: "Paris", n: [{}] },
    ]);
  });

  test("a number appears when the character after it shows that it is over", () => {
    expect(partials("[1", "2", ",-0", ".5", "e1", "]")).toEqual([[], [], [12], [12], [12], [12, -5]]);
    expect(partials("7", "7", " ")).toEqual([undefined, undefined, 77]);
    expect(partials('{"a":1', "}")).toEqual([{}, { a: 1 }]);
  });

  test("a literal appears when it is fully spelled", () => {
    expect(partials("[tru", "e", ",f", "alse,nul", "l]")).toEqual([
      [],
      [true],
      [true],
      [true, false],
      [true, false, null],
    ]);
    expect(partials("nul", "l")).toEqual([undefined, null]);
  });

  test("escapes appear when they are complete", () => {
    expect(partials('"a\\', "n", "\\u00", "e9", '"')).toEqual(["a", "a\n", "a\n", "a\né", "a\né"]);
    expect(partials('"\\"\\\\\\/\\b\\f\\r\\t"')).toEqual(['"\\/\b\f\r\t']);
  });

  test.each([
    ["raw", "\ud83d", "\ude00"],
    ["escaped", "\\ud83d", "\\uDE00"],
    ["raw then escaped", "\ud83d", "\\ude00"],
    ["escaped then raw", "\\ud83d", "\ude00"],
  ])("half a surrogate pair is held back: %s", (_how, high, low) => {
    expect(partials(`["a${high}`, low, "b")).toEqual([["a"], ["a😀"], ["a😀b"]]);
  });

  test("a lone surrogate is kept once anything else follows", () => {
    expect(partials('"\\ud83d', "x", '"')).toEqual(["", "\ud83dx", "\ud83dx"]);
    expect(partials('"\\ud83d', '"')).toEqual(["", "\ud83d"]);
    expect(partials('"\\ud83d', "\\ud83d", "\\ude00")).toEqual(["", "\ud83d", "\ud83d😀"]);
    expect(partials('"\\ude00')).toEqual(["\ude00"]);
    expect(partials('{"\\ud83d', '":1}')).toEqual([{}, { "\ud83d": 1 }]);
  });

  test("a repeated key replaces the earlier member and keeps its place", () => {
    const json = new IncrementalJson();
    json.push('{"a":{"x":1},"b":2,"a":');
    expect(json.value).toEqual({ a: { x: 1 }, b: 2 });
    json.push('"n');
    expect(JSON.stringify(json.value)).toBe('{"a":"n","b":2}');
    json.push('ew"}');
    expect(JSON.stringify(json.value)).toBe('{"a":"new","b":2}');
    expect(JSON.stringify(json.finish())).toBe('{"a":"new","b":2}');
  });

  test("__proto__ and constructor are ordinary members", () => {
    const json = new IncrementalJson();
    json.push('{"__proto__":{"polluted":"ye');
    expect(JSON.stringify(json.value)).toBe('{"__proto__":{"polluted":"ye"}}');
    json.push('s"},"constructor":{"prototype":{"polluted":1}},"__proto__":"again"}');
    const text = '{"__proto__":"again","constructor":{"prototype":{"polluted":1}}}';
    expect(JSON.stringify(json.value)).toBe(text);
    expect(JSON.stringify(json.finish())).toBe(text);
    expect(Object.getPrototypeOf(json.value)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("it is one object while it grows", () => {
    const json = new IncrementalJson();
    json.push('{"a":[');
    const root = json.value;
    json.push('1,{"b":"c');
    expect(json.value).toBe(root);
    expect(root).toEqual({ a: [1, { b: "c" }] });
  });
});

describe("finish", () => {
  test("parses the whole text, and value is the result from then on", () => {
    const json = new IncrementalJson();
    json.push("4");
    json.push("2");
    expect(json.value).toBeUndefined();
    expect(json.finish()).toBe(42);
    expect(json.value).toBe(42);
    expect(json.text).toBe("42");
  });

  test("gives the same object each time", () => {
    const json = new IncrementalJson();
    json.push('{"a":1}');
    expect(json.finish()).toEqual({ a: 1 });
    expect(json.finish()).toBe(json.value);
  });

  test("text pushed afterwards counts", () => {
    const json = new IncrementalJson();
    json.push("[1]");
    expect(json.finish()).toEqual([1]);
    json.push(" x");
    expect(json.error).toMatchObject({ code: "json/syntax", column: 5 });
    expect(finishError(json)).toMatchObject({ code: "json/syntax", column: 5 });
    expect(json.value).toEqual([1]);
  });

  test("refuses what is not complete, and the partial value stays", () => {
    const json = new IncrementalJson();
    json.push('{"path":"/tm');
    expect(finishError(json)).toMatchObject({
      code: "json/syntax",
      message: "expected the rest of the string, found the end of the text",
      hint: "the text ends inside a string: it was probably cut off",
      line: 1,
      column: 13,
    });
    expect(json.value).toEqual({ path: "/tm" });
    expect(json.error).toBeUndefined();
  });

  test("refuses an empty text", () => {
    expect(finishError(new IncrementalJson())).toMatchObject({
      code: "json/syntax",
      hint: "the text is empty",
    });
  });
});

describe("error", () => {
  test("the value stays at the last good state and more text is harmless", () => {
    const json = new IncrementalJson();
    json.push('{"a":[1,"x"],\n');
    expect(json.error).toBeUndefined();
    json.push(" b");
    const { error } = json;
    expect(error).toBeInstanceOf(DragomanError);
    expect(error).toMatchObject({
      code: "json/syntax",
      message: "expected a key in double quotes, found b",
      hint: "put the key in double quotes",
      line: 2,
      column: 2,
    });
    json.push(':2}"{[');
    expect(json.error).toBe(error);
    expect(json.value).toEqual({ a: [1, "x"] });
    expect(json.text).toBe('{"a":[1,"x"],\n b:2}"{[');
    expect(finishError(json)).toMatchObject({ line: 2, column: 2 });
  });

  test.each([
    ['["ab\ncd', ["ab"], 5],
    ['["ab\\x', ["ab"], 6],
    ['["ab\\u00x', ["ab"], 9],
    ["[1,2x", [1, 2], 5],
    ["[1,01", [1], 5],
    ["[1.x", [], 4],
    ["[tru]", [], 5],
    ["1 1", 1, 3],
    ['{"a":1]', { a: 1 }, 7],
  ])("%j", (text, value, column) => {
    for (const size of [1, 2, 100]) {
      const json = new IncrementalJson();
      for (let at = 0; at < text.length; at += size) {
        json.push(text.slice(at, at + size));
        void json.value;
      }
      expect(json.value).toEqual(value);
      expect(json.error).toMatchObject({ code: "json/syntax", line: 1, column });
    }
  });
});

describe("size", () => {
  test("a string of 10 MB in small deltas, looked at on every one", () => {
    const json = new IncrementalJson();
    const delta = "0123456789abcdefghi\\n";
    let looks = 0;
    json.push('{"content":"');
    for (let i = 0; i < 500_000; i++) {
      json.push(delta);
      if (json.value !== undefined) looks++;
    }
    json.push('"}');
    const expected = { content: "0123456789abcdefghi\n".repeat(500_000) };
    expect(looks).toBe(500_000);
    expect(JSON.stringify(json.value) === JSON.stringify(expected)).toBe(true);
    expect(JSON.stringify(json.finish()) === JSON.stringify(expected)).toBe(true);
  });

  test.each(["[", '{"a":', '[{"a":['])("100,000 × %s stops at 1000 levels", (opening) => {
    const levels = opening.length === 7 ? 3 : 1;
    const json = new IncrementalJson();
    for (let i = 0; i < 100_000 / levels; i++) json.push(opening);
    expect(json.value).toBeInstanceOf(Object);
    expect(json.error).toMatchObject({ code: "json/too-deep" });
    expect(finishError(json)).toMatchObject({ code: "json/too-deep" });
  });

  test("100,000 levels, closed, can be allowed", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    const strict = new IncrementalJson();
    strict.push(text);
    expect(strict.error).toMatchObject({ code: "json/too-deep", line: 1, column: 1001 });
    expect(finishError(strict)).toMatchObject({ code: "json/too-deep", line: 1, column: 1001 });

    const lenient = new IncrementalJson({ maxDepth: 100_000 });
    lenient.push(text);
    expect(lenient.error).toBeUndefined();
    let depth = 0;
    for (let at = lenient.value; Array.isArray(at); at = at[0]) depth++;
    expect(depth).toBe(100_000);
    expect(lenient.finish()).toBeInstanceOf(Array);
  });
});
