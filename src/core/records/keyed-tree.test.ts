import { expect, test } from "vitest";
import { activeLast, distinctKeys, isParentsFirst } from "./keyed-tree.js";

test.each<[string, [string, string | null][], string | undefined, string]>([
  [
    "a line",
    [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ],
    "c",
    "abc",
  ],
  [
    "the active branch last",
    [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
      ["d", "a"],
    ],
    "c",
    "adbc",
  ],
  [
    "without a leaf, as it is",
    [
      ["a", null],
      ["b", "a"],
      ["c", "a"],
    ],
    undefined,
    "abc",
  ],
  [
    "children before their parent",
    [
      ["b", "a"],
      ["a", null],
    ],
    "b",
    "ab",
  ],
  [
    "a missing parent",
    [
      ["a", "x"],
      ["b", "a"],
    ],
    "b",
    "ab",
  ],
  [
    "a circle",
    [
      ["a", "b"],
      ["b", "a"],
      ["c", null],
    ],
    "c",
    "abc",
  ],
  [
    "a leaf with children",
    [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ],
    "b",
    "abc",
  ],
  ["an unknown leaf", [["a", null]], "x", "a"],
])("%s", (_, parents, leaf, order) => {
  expect(activeLast(new Map(parents), leaf).join("")).toBe(order);
});

test("a deep tree costs no stack", () => {
  const parents = new Map<string, string | null>([["0", null]]);
  for (let index = 1; index < 100_000; index++) parents.set(`${index}`, `${index - 1}`);
  expect(activeLast(parents, "99999").at(-1)).toBe("99999");
});

test("parents come first, or not", () => {
  expect(
    isParentsFirst(
      new Map([
        ["a", null],
        ["b", "a"],
        ["c", "x"],
      ]),
    ),
  ).toBe(true);
  expect(
    isParentsFirst(
      new Map([
        ["b", "a"],
        ["a", null],
      ]),
    ),
  ).toBe(false);
});

test("equal keys get numbers that no other key has", () => {
  expect(distinctKeys(["a", "a", "a-2", "a", "b"])).toEqual(["a", "a-2", "a-2-2", "a-3", "b"]);
});
