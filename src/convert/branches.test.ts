import { describe, expect, test } from "vitest";
import { openclaw } from "../dialects/openclaw/index.js";
import { otherBranches } from "./branches.js";

const line = (fields: object) =>
  `${JSON.stringify({ role: "user", content: "I", timestamp: 1, ...fields })}\n`;

async function branchesOf(text: string, leaf?: string): Promise<string[]> {
  const source = async function* () {
    yield new TextEncoder().encode(text);
  };
  return [...(await otherBranches(source(), openclaw, leaf))];
}

describe("otherBranches", () => {
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
});
