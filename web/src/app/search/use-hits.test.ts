import { expect, test } from "vitest";
import { groupHits, statusOf } from "./use-hits.js";

const hits = (...sessions: string[]) => sessions.map((session) => ({ session }));

test("a session with many matches does not hide the others", () => {
  expect(groupHits(hits("a", "a", "b", "a", "a", "a"))).toEqual([
    { session: "a" },
    { session: "a" },
    { session: "a", more: 2 },
    { session: "b" },
  ]);
});

test("the status states how many there are, and that there may be more", () => {
  expect(statusOf([])).toBe("No messages match.");
  expect(statusOf(hits("a"))).toBe("1 match in 1 session");
  expect(statusOf(hits(...Array.from({ length: 200 }, (_, at) => `s${at % 7}`)))).toBe(
    "More than 200 matches in 7 sessions",
  );
});
