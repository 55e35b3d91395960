import { describe, expect, test } from "vitest";
import { openclaw } from "../dialects/openclaw/index.js";
import { findBranch } from "./branches.js";

const line = (fields: object) =>
  `${JSON.stringify({ role: "user", content: "I", timestamp: 1, ...fields })}\n`;

function find(text: string, leaf?: string) {
  const open = async function* () {
    yield new TextEncoder().encode(text);
  };
  return findBranch(open, openclaw, leaf);
}

/** The lines that are off, of those that say what they follow. */
async function branchesOf(text: string, leaf?: string): Promise<string[]> {
  const { isOff } = await find(text, leaf);
  const lines = text.split("\n").filter((one) => one !== "");
  return lines.flatMap((one, index) => (one.includes('"parentId":') && isOff(index) ? [`/${index}`] : []));
}

describe("the branch to take", () => {
  const tree = [
    line({ id: "a", parentId: null }),
    "\n",
    line({ content: "not in the tree; it only says parentId" }),
    "not JSON\n",
    line({ id: "b", parentId: "a" }),
    line({ id: "c", parentId: "a" }),
  ].join("");

  test("counts the lines it does not read", async () => expect(await branchesOf(tree)).toEqual(["/3"]));
  test("takes the branch asked for", async () => expect(await branchesOf(tree, "b")).toEqual(["/4"]));
  test("a transcript that is no tree has none", async () => {
    expect(await branchesOf(line({ id: "a" }) + line({ id: "b" }))).toEqual([]);
  });
  test("a bad line is named with its place", async () => {
    await expect(branchesOf(`${line({})}${line({ content: 7, parentId: null })}`)).rejects.toMatchObject({
      code: "model/invalid",
      at: "/1/content",
      line: 2,
      column: 26,
    });
  });

  const nodes = (...ids: [id: string, parentId: string | null][]) =>
    ids.map(([id, parentId]) => line({ id, parentId })).join("");

  test.each<[string, string, string | undefined, string[]]>([
    ["a chain", nodes(["a", null], ["b", "a"], ["c", "b"]), undefined, []],
    ["a chain up to its middle", nodes(["a", null], ["b", "a"], ["c", "b"]), "b", ["/2"]],
    ["two roots", nodes(["a", null], ["b", null], ["c", "b"]), undefined, ["/0"]],
    ["back and forth", nodes(["a", null], ["b", "a"], ["c", "a"], ["d", "b"], ["e", "d"]), undefined, ["/2"]],
    ["parents that come later", nodes(["b", "a"], ["a", null], ["c", "b"]), undefined, []],
    ["the same id twice", nodes(["a", null], ["a", null], ["b", null], ["c", "a"]), undefined, ["/0", "/2"]],
    [
      "a parent that is on every branch",
      line({ id: "r" }) + nodes(["a", "r"], ["b", "r"]),
      undefined,
      ["/1"],
    ],
  ])("of %s", async (_, text, leaf, off) => {
    expect(await branchesOf(text, leaf)).toEqual(off);
    expect((await find(text, leaf)).guesses).toEqual([]);
  });

  test.each<[string, string, object[]]>([
    [
      "is missing",
      nodes(["a", null], ["b", "a"], ["c", "gone"], ["d", "c"]),
      [{ place: 2, parentId: "gone", why: "missing" }],
    ],
    [
      "leads in a circle",
      nodes(["a", null], ["b", "a"], ["c", "d"], ["d", "c"]),
      [{ place: 2, parentId: "d", why: "circle" }],
    ],
    ["is the message itself", nodes(["a", null], ["b", "b"]), [{ place: 1, parentId: "b", why: "circle" }]],
  ])("goes on with the message before where a parent %s", async (_, text, guesses) => {
    expect(await branchesOf(text)).toEqual([]);
    expect((await find(text)).guesses).toEqual(guesses);
  });
});
