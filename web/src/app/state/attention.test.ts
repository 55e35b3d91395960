import { expect, test } from "vitest";
import { attentionBetween, tabTitle } from "./attention.js";

test("a new question and the end of a run are reasons to notify", () => {
  const before = { busy: new Set(["a", "b", "c"]), asking: new Set(["c"]) };
  const after = { busy: new Set(["a", "c"]), asking: new Set(["a", "c"]) };
  expect(attentionBetween(before, after)).toEqual([
    { session: "a", why: "asks" },
    { session: "b", why: "ended" },
  ]);
  expect(attentionBetween(after, after)).toEqual([]);
});

test("the tab's title counts the sessions that wait", () => {
  expect([tabTitle("Plans", 2), tabTitle("Plans", 0), tabTitle("", 1)]).toEqual([
    "(2) Plans · Dragoman",
    "Plans · Dragoman",
    "(1) Dragoman",
  ]);
});
