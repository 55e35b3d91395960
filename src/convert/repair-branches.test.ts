import { describe, expect, test } from "vitest";
import { call, closing, repaired, result, says, user } from "../../test/generate/repair-lines.js";
import type { Provider } from "./check.js";

describe("with branches there may be more to do than is done, and that is said", () => {
  const on = (line: string, id: string, parentId: string | null) =>
    line.replace(/}$/, `,"id":"${id}","parentId":${JSON.stringify(parentId)}}`);
  const tree = [on(user, "a", null), on(user, "b", "a"), on(user, "c", "a")];
  const noted = async (line: string, provider?: Provider) =>
    (await repaired([...tree, line], provider)).notes;

  test("for a parent that is not there", async () => {
    expect(await noted(on(user, "d", "nobody"))).toEqual(["repair/branches"]);
  });

  test("for what an API refuses, on any branch", async () => {
    const empty = '{"role":"user","content":[],"timestamp":5}';
    expect(await noted(on(empty, "d", "c"))).toEqual([]);
    expect(await noted(on(empty, "d", "c"), "google")).toEqual(["repair/branches"]);
    const other = [on(says(call("a.b")), "d", "a"), on(result("a.b"), "e", "d"), on(user, "f", "c")];
    expect((await repaired([...tree, ...other], "anthropic")).notes).toEqual(["repair/branches"]);
  });
});

test("a call without an id gets one if a result is added, and nothing else follows it", async () => {
  const asks = says(call("c1")).replace(/}$/, ',"parentId":null}');
  const { lines, changes } = await repaired([asks]);
  expect(changes).toEqual(["/0 tree/no-id", "/0/content/0 pairing/unanswered"]);
  expect(lines).toEqual([
    asks.replace(/}$/, ',"id":"first-next"}'),
    closing("c1").replace(/}$/, ',"id":"first-next-result","parentId":"first-next"}'),
  ]);
  const after = '{"role":"note","parentId":"gone"}';
  expect(await repaired([asks, after])).toEqual({
    lines: [asks, after],
    changes: [],
    unplaced: [],
    notes: ["repair/branches"],
  });
});

test("an added result says what it follows only if its call does", async () => {
  const [root, note] = ['{"role":"note","id":"n","parentId":null}', '{"role":"note","parentId":"n"}'];
  const asks = says(call("c1"), call("c2"));
  expect((await repaired([root, asks, note])).lines).toEqual([
    root,
    asks,
    closing("c1"),
    closing("c2"),
    note,
  ]);
});
