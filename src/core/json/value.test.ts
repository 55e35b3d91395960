import { expect, test } from "vitest";
import { copyOf, sameJson } from "./value.js";

test("a copy has the fields in their order, __proto__ too, and is another object", () => {
  const original = JSON.parse('{"b":1,"__proto__":{"x":2},"a":[3]}');
  const copy = copyOf(original);
  expect(JSON.stringify(copy)).toBe('{"b":1,"__proto__":{"x":2},"a":[3]}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  copy["c"] = 4;
  expect(original).not.toHaveProperty("c");
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ toString: 1 }, { a: 1 }, false],
  [{}, [], false],
  [null, {}, false],
])("%j and %j are the same: %s", (a, b, expected) => expect(sameJson(a, b)).toBe(expected));
