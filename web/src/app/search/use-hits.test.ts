import { expect, test } from "vitest";
import { groupHits, statusOf, withoutMarks } from "./use-hits.js";

const hits = (...sessions: string[]) => sessions.map((session) => ({ session }));

test("a session with many matches does not hide the others", () => {
  expect(groupHits(hits("a", "a", "b", "a", "a", "a"))).toEqual([
    { session: "a" },
    { session: "a" },
    { session: "a", more: 2 },
    { session: "b" },
  ]);
});

test("the status states how many there are, and how many are listed", () => {
  expect(statusOf([], 0)).toBe("No messages match.");
  expect(statusOf(hits("a"), 1)).toBe("1 match in 1 session");
  expect(statusOf(hits("a", "b"), 512)).toBe("2 of 512 matches, in 2 sessions");
  expect(statusOf(hits("a"), 10_000, true)).toBe("1 of more than 10,000 matches, in 1 session");
});

test("an excerpt is shown without the marks of code, bold text and tables", () => {
  expect(withoutMarks("no end }\n```\n| in | **out** |\n| :-- | --: |\n| `a | b` | __init__ |")).toBe(
    "no end }\n\n| in | out |\n\n| a | b | __init__ |",
  );
});
