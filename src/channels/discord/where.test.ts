import { expect, test } from "vitest";
import { whereOf } from "./where.js";

test.each([10, 11, 12])("a channel of the type %d is a thread in its parent", (type) => {
  expect(whereOf({ type, parent_id: "30" }, "3")).toEqual({ kind: "server", server: "3", parent: "30" });
});

test.each([0, 2, 5, 13])(
  "the parent of a channel of the type %d is a category, which is no place",
  (type) => {
    expect(whereOf({ type, parent_id: "9", guild_id: "3" })).toEqual({ kind: "server", server: "3" });
  },
);

test("a channel without a server is direct if Discord says so, and nowhere otherwise", () => {
  expect([whereOf({ type: 1 }), whereOf({ type: 0 }), whereOf("30")]).toEqual([
    { kind: "direct" },
    undefined,
    undefined,
  ]);
});
