import { describe, expect, test } from "vitest";
import { alternativesOf, buildTree, type Linked, lastSegment, newestEnd, pathTo, type Tree } from "./tree.js";

/** `b<a` follows a; `a<` is a root; `a` alone is on every branch. */
function messages(text: string): Linked[] {
  return text.split(" ").map((word) => {
    const [id = "", parent] = word.split("<");
    return parent === undefined ? { id } : { id, parentId: parent === "" ? null : parent };
  });
}

function shapeOf({ segments }: Tree): string[] {
  return segments.map(({ messages: all, depth }) => `${"-".repeat(depth)}${all.join(",")}`);
}

describe("the tree", () => {
  test("of messages in a row is one segment", () => {
    expect(shapeOf(buildTree(messages("a< b<a c<b")))).toEqual(["0,1,2"]);
  });

  test("parts where two messages follow one", () => {
    //  a ─ b ─ c
    //   └─ d ─ e
    //       └─ f
    const tree = buildTree(messages("a< b<a c<b d<a e<d f<d"));
    expect(shapeOf(tree)).toEqual(["0", "-1,2", "-3", "--4", "--5"]);
  });

  test("has several roots if the file has", () => {
    expect(shapeOf(buildTree(messages("a< b<a c< d<c")))).toEqual(["0,1", "2,3"]);
  });

  test("leaves out what is on every branch", () => {
    const tree = buildTree(messages("h a< n b<a"));
    expect([shapeOf(tree), tree.segmentOf]).toEqual([["1,3"], [undefined, 0, undefined, 0]]);
  });

  test("takes the nearest message before for an id that is there twice", () => {
    expect(shapeOf(buildTree(messages("a< x<a a<x b<a c<x")))).toEqual(["0,1", "-2,3", "-4"]);
  });

  test("takes the message before for a parent that is missing", () => {
    expect(shapeOf(buildTree(messages("a< b<gone c<b")))).toEqual(["0,1,2"]);
  });

  test("follows a parent that comes later in the file", () => {
    expect(shapeOf(buildTree(messages("b<a a<")))).toEqual(["1,0"]);
  });

  test.each(["a<a", "a<b b<a", "a<c b<a c<b", "a<b b<gone c<b"])("%s does not lead in a circle", (text) => {
    const { segmentOf } = buildTree(messages(text));
    expect(segmentOf.every((segment) => segment !== undefined)).toBe(true);
  });

  test("of 100,000 messages in a row is built at once", () => {
    const all = Array.from({ length: 100_000 }, (_, index) => ({
      id: `${index}`,
      parentId: index === 0 ? null : `${index - 1}`,
    }));
    expect(buildTree(all).segments.map(({ messages: row }) => row.length)).toEqual([100_000]);
  });
});

describe("walking it", () => {
  const tree = buildTree(messages("h a< b<a c<b d<a e<d f<d g<b"));

  test("begins with the branch of the last message", () => {
    expect(pathTo(tree, lastSegment(tree))).toEqual([0, 1, 2, 7]);
  });

  test("a segment in the middle leads on to what was written last", () => {
    const middle = tree.segments[tree.segmentOf[4] ?? -1];
    if (middle === undefined) throw new Error("d has no segment");
    expect(newestEnd(tree, middle).messages).toEqual([6]);
    expect(pathTo(tree, newestEnd(tree, middle))).toEqual([0, 1, 4, 6]);
  });

  test("knows what else was said at a place", () => {
    const starts = (message: number) => alternativesOf(tree, message)?.map(({ messages: [first] }) => first);
    expect([starts(2), starts(4), starts(7)]).toEqual([
      [2, 4],
      [2, 4],
      [3, 7],
    ]);
    expect([starts(0), starts(1)]).toEqual([undefined, undefined]);
  });

  test("a transcript without a tree is one path", () => {
    const flat = buildTree(messages("a b c"));
    expect(pathTo(flat, lastSegment(flat))).toEqual([0, 1, 2]);
  });
});
