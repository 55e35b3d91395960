import { expect, test } from "vitest";
import { copyOf } from "./value.js";

test("a copy has the fields in their order, __proto__ too, and is another object", () => {
  const original = JSON.parse('{"b":1,"__proto__":{"x":2},"a":[3]}');
  const copy = copyOf(original);
  expect(JSON.stringify(copy)).toBe('{"b":1,"__proto__":{"x":2},"a":[3]}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  copy["c"] = 4;
  expect(original).not.toHaveProperty("c");
});
