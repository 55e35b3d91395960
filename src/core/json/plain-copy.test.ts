import fc from "fast-check";
import { expect, test } from "vitest";
import { plainCopy } from "./plain-copy.js";

test("a copy is what would be read back", () => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: true, maxDepth: 5 }), (value) => {
      const copy = plainCopy(value);
      if (copy !== undefined) expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      if (copy !== undefined) expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("plain data is copied, without members that JSON leaves out", () => {
  const given = { a: [1, "b", { c: null }], d: undefined, e: -0, f: "\ud800" };
  const copy = plainCopy(given);
  expect(copy).toStrictEqual({ a: [1, "b", { c: null }], e: 0, f: "\ud800" });
  given.a.push(2);
  expect(copy).toStrictEqual({ a: [1, "b", { c: null }], e: 0, f: "\ud800" });
});

class Point {
  x = 1;
}

test.each<[string, object]>([
  ["NaN", { a: Number.NaN }],
  ["a date", { a: new Date(0) }],
  ["an instance", { a: new Point() }],
  ["a function", { toJSON: () => 1 }],
  ["a bigint", { a: 1n }],
  ["undefined in a list", { a: [undefined] }],
  ["a key that names the prototype", JSON.parse('{"__proto__":{"a":1}}')],
  ["a symbol", { a: Symbol("a") }],
])("%s is left to JSON", (_, value) => {
  expect(plainCopy(value)).toBeUndefined();
});

test("a value that is too deep for the stack is left to JSON", () => {
  let value: object = {};
  for (let depth = 0; depth < 100_000; depth++) value = { value };
  expect(plainCopy(value)).toBeUndefined();
});
