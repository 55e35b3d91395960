import { expect, test } from "vitest";
import { lossSummary } from "./loss-words.js";
import type { Border } from "./notes.js";
import type { Loss } from "./types.js";

const image: Loss = { at: "/1", what: "an image", why: "it has no place", severity: "approximated" };

test.each<[Border, string]>([
  ["request", "Not sent to x as stored: an image changed (it has no place)"],
  ["import", "Not imported from x as written: an image changed (it has no place)"],
  ["view", "Not written to the x view as stored: an image changed (it has no place)"],
  ["channel", "Not delivered to x as stored: an image changed (it has no place)"],
  ["export", "Not exported to x as stored: an image changed (it has no place)"],
])("a loss at the border %s is named in one line", (border, line) => {
  expect(lossSummary({ border, target: "x", losses: [image] })).toBe(line);
});
