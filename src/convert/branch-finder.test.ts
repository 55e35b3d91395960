import { describe, expect, test } from "vitest";
import type { LeafRole } from "../core/dialect.js";
import { BranchFinder } from "./branch-finder.js";

/** The ids that are not on the active branch. */
function off(nodes: readonly [id: string, parentId: string | null | undefined, role?: LeafRole][]): string[] {
  const finder = new BranchFinder();
  const all = nodes.map(([id, parentId, leafRole], place) => ({ place, id, parentId, leafRole }));
  for (const node of all) finder.add(node);
  if (finder.needsSecondPass) for (const node of all) finder.revisit(node);
  const { isOff } = finder.finish();
  return all.filter(({ place, parentId }) => parentId !== undefined && isOff(place)).map(({ id }) => id);
}

test("places that decrease, as in a damaged file, do not lead in a circle", () => {
  const finder = new BranchFinder();
  finder.add({ place: 5, id: "a", parentId: "gone" });
  finder.add({ place: 3, id: "b", parentId: "gone, too" });
  const { guesses } = finder.finish();
  expect(new Set(guesses.map(({ place }) => place))).toEqual(new Set([3]));
});

describe("the second pass", () => {
  /** A chain of messages, and a last message with this parent. */
  function chain(length: number, parentId: string): BranchFinder {
    const finder = new BranchFinder();
    for (let place = 0; place < length; place++) {
      finder.add({ place, id: `m${place}`, parentId: place === 0 ? null : `m${place - 1}` });
    }
    finder.add({ place: length, id: "last", parentId });
    return finder;
  }

  test("is not needed if the parent is one of the latest messages", () => {
    const finder = chain(20_000, "m19000");
    expect(finder.needsSecondPass).toBe(false);
    const { isOff, guesses } = finder.finish();
    expect([19_000, 19_001, 19_999, 20_000].map(isOff)).toEqual([false, true, true, false]);
    expect(guesses).toEqual([]);
  });

  test("is needed if the parent is far away, missing, or a later message", () => {
    expect(chain(20_000, "m5000").needsSecondPass).toBe(true);
    expect(chain(2, "gone").needsSecondPass).toBe(true);
    expect(chain(2, "last").needsSecondPass).toBe(true);
  });

  test("is needed if not every message was added", () => {
    const finder = new BranchFinder(undefined, true);
    finder.add({ place: 1, id: "a", parentId: null });
    finder.add({ place: 2, id: "b", parentId: "a" });
    finder.add({ place: 3, id: "c", parentId: "a" });
    expect(finder.needsSecondPass).toBe(true);
  });

  test("finds the last message with the parent's id before the one that names it", () => {
    const finder = new BranchFinder();
    const nodes = [
      { place: 0, id: "a", parentId: null },
      { place: 1, id: "b", parentId: "a" },
      { place: 2, id: "b", parentId: "a" },
      { place: 3, id: "c", parentId: "a" },
      { place: 4, id: "d", parentId: "b" },
      { place: 5, id: "b", parentId: "gone" },
      { place: 6, id: "e", parentId: "d" },
    ];
    for (const node of nodes) finder.add(node);
    expect(finder.needsSecondPass).toBe(true);
    for (const node of nodes) finder.revisit(node);
    const { isOff } = finder.finish();
    expect(nodes.filter(({ place }) => isOff(place)).map(({ place }) => place)).toEqual([1, 3, 5]);
  });
});

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
