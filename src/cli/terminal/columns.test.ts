import { expect, test } from "vitest";
import { columnsOf } from "./columns.js";

test("a terminal without a size has 80 columns, and a pipe has none", () => {
  expect(columnsOf({ isTTY: true, columns: 0 })).toBe(80);
  expect(columnsOf({ isTTY: true })).toBe(80);
  expect(columnsOf({ isTTY: true, columns: 40 })).toBe(40);
  expect(columnsOf({ columns: 40 })).toBeUndefined();
});
