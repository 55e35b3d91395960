import { expect, test } from "vitest";
import { defined } from "./defined.js";

test("undefined fields are absent, others keep their value and order", () => {
  const name: string | undefined = undefined;
  const object: { id: string; name?: string; count: number | null } = defined({ id: "7", name, count: null });
  expect(Object.entries(object)).toEqual([
    ["id", "7"],
    ["count", null],
  ]);
  expect("name" in object).toBe(false);
});
