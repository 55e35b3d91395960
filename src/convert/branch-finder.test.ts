import { describe, expect, test } from "vitest";
import type { LeafRole } from "../core/dialect.js";
import { BranchFinder } from "./branch-finder.js";

/** The ids that are not on the active branch. */
function off(nodes: readonly [id: string, parentId: string | null | undefined, role?: LeafRole][]): string[] {
  const finder = new BranchFinder();
  const all = nodes.map(([id, parentId, leafRole], place) => ({ place, id, parentId, leafRole }));
  for (const node of all) finder.add(node);
  for (const node of all) finder.revisit(node);
  const { isOff } = finder.finish();
  return all.filter(({ place, parentId }) => parentId !== undefined && isOff(place)).map(({ id }) => id);
}

describe("the active leaf", () => {
  test("is the last message that can be one", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["s", null, "aside"],
        ["t", "s", "aside"],
      ]),
    ).toEqual(["s", "t"]);
  });

  test("is the last message if none can be one", () => {
    expect(
      off([
        ["a", null, "aside"],
        ["b", null, "aside"],
        ["c", "b", "aside"],
      ]),
    ).toEqual(["a"]);
  });

  test("has the notes that follow it on its branch", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["n", "b", "tail"],
        ["m", "n", "tail"],
      ]),
    ).toEqual([]);
  });

  test("does not move to a note on another branch", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["c", "a"],
        ["n", "b", "tail"],
      ]),
    ).toEqual(["b", "n"]);
  });

  test("is the one that a record names", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["c", "a"],
        ["r", undefined, { id: "b" }],
      ]),
    ).toEqual(["c"]);
  });

  test("is the one that a message with a parent names", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["c", "a"],
        ["r", "b", { id: "b" }],
      ]),
    ).toEqual(["c", "r"]);
  });

  test("is the last named one", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["r", undefined, { id: "b" }],
        ["c", "a"],
        ["q", undefined, { id: "c" }],
      ]),
    ).toEqual(["b"]);
  });

  test("is a message after the record that names another", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["r", undefined, { id: "b" }],
        ["c", "a"],
        ["n", "b", "tail"],
      ]),
    ).toEqual(["b", "n"]);
  });

  test("is not a name that no message has", () => {
    expect(
      off([
        ["a", null],
        ["b", "a"],
        ["r", undefined, { id: "gone" }],
      ]),
    ).toEqual([]);
  });
});
