import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/error.js";
import { PartialArguments } from "./partial-arguments.js";

const text = (jsonPath: string, stringValue: string, willContinue = false) => ({
  jsonPath,
  stringValue,
  ...(willContinue ? { willContinue } : {}),
});

function run(pieces: unknown[]): { deltas: string[]; instead: string | undefined } {
  const args = new PartialArguments();
  const deltas = pieces.map((piece) => args.push(piece));
  return { deltas: [...deltas, args.end()], instead: args.instead };
}

describe("PartialArguments", () => {
  test("writes on where the last value stopped", () => {
    expect(
      run([
        text("$.a.b[0]", "x", true),
        text("$.a.b[0]", 'y"', true),
        text("$.a.b[0]", ""),
        text("$.a.b[1].c", "z"),
        { jsonPath: "$.a.b[1].d", boolValue: false },
        { jsonPath: "$.n", numberValue: -1.5 },
        { jsonPath: '$[\'o p\']["q\\"]"]', nullValue: "NULL_VALUE" },
      ]),
    ).toEqual({
      deltas: [
        '{"a":{"b":["x',
        'y\\"',
        '"',
        ',{"c":"z"',
        ',"d":false',
        '}]},"n":-1.5',
        ',"o p":{"q\\"]":null',
        "}}",
      ],
      instead: undefined,
    });
  });

  test("a string that is not ended is ended by the next value, or the end", () => {
    expect(run([text("$.a", "x", true), text("$.b", "y", true)]).deltas).toEqual([
      '{"a":"x',
      '","b":"y',
      '"}',
    ]);
  });

  test("halves of a character meet again", () => {
    const { deltas } = run([text("$.a", "\ud83d", true), text("$.a", "\ude00")]);
    expect(JSON.parse(deltas.join(""))).toEqual({ a: "😀" });
  });

  test("nothing is nothing", () => {
    expect(run([])).toEqual({ deltas: [""], instead: undefined });
    expect(run([{ jsonPath: "$.a", willContinue: true }])).toEqual({ deltas: ["", ""], instead: undefined });
  });

  test.each<[string, unknown[], unknown]>([
    [
      "a member of what was closed",
      [
        text("$.a.b", "1"),
        text("$.c", "2", true),
        text("$.a.d", "3", true),
        text("$.a.d", "4"),
        text("$.c2", "5"),
      ],
      { a: { b: "1", d: "34" }, c: "2", c2: "5" },
    ],
    ["a value once more", [text("$.a", "1"), text("$.a", "2")], { a: "2" }],
    ["a member of what was a text", [text("$.a", "1"), text("$.a.b", "2")], { a: { b: "2" } }],
    ["a text for what had members", [text("$.a.b", "1"), text("$.a", "2")], { a: "2" }],
  ])("%s is right in the whole only", (_, pieces, expected) => {
    const { instead } = run(pieces);
    expect(JSON.parse(instead ?? "")).toEqual(expected);
  });

  test("__proto__ is a name", () => {
    const { deltas } = run([text("$.__proto__.x", "1"), text("$.a", "2")]);
    expect(deltas.join("")).toBe('{"__proto__":{"x":"1"},"a":"2"}');
    expect(Reflect.get({}, "x")).toBeUndefined();
  });

  test.each([
    ["no path", { stringValue: "x" }],
    ["a path from nowhere", text("a.b", "x")],
    ["a path that is none", text("$..a", "x")],
    ["a path with a filter", text("$.a[?(@.b)]", "x")],
    ["the root", text("$", "x")],
    ["a list at the root", text("$[0]", "x")],
    ["a list with a gap", text("$.a[4000000000]", "x")],
    ["no object", 7],
  ])("refuses %s", (_, piece) => {
    expect(() => new PartialArguments().push(piece)).toThrow(DragomanError);
  });
});
