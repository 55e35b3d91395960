import { expect, test } from "vitest";
import { deviation, notesOf, restoreNoted } from "./notes.js";

test("what was written at every depth is written again", () => {
  const ours = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  const theirs = { id: "c", function: { name: "f", arguments: "{}", strict: true } };
  const noted = deviation(theirs, ours);
  expect(noted).toEqual({ absent: ["type"], inside: { function: { fields: { strict: true } } } });
  expect(restoreNoted(ours, noted)).toEqual(theirs);
});

test("notes by pointer, as logs have them, are read", () => {
  const ext = {
    "openai-chat": { place: "x", set: { "/function/strict": true, "/a~1b": 1 }, unset: ["/type"] },
  };
  expect(notesOf({ ext })).toEqual({
    place: "x",
    fields: { "a/b": 1 },
    absent: ["type"],
    inside: { function: { fields: { strict: true } } },
  });
  expect(restoreNoted({ type: "function", function: { name: "f" } }, ext["openai-chat"])).toEqual({
    function: { name: "f", strict: true },
    "a/b": 1,
  });
});
