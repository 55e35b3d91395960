import { expect, test } from "vitest";
import { lossSummary } from "./loss-words.js";
import type { Border } from "./message/notes.js";
import type { Loss } from "./types.js";

const image: Loss = { at: "/1", what: "an image", why: "it has no place", severity: "approximated" };

test.each<[Border, string]>([
  ["request", "Request to x: changed an image (it has no place)"],
  ["import", "Import from x: changed an image (it has no place)"],
  ["view", "View for x: changed an image (it has no place)"],
  ["channel", "Delivery on x: changed an image (it has no place)"],
  ["export", "Export to x: changed an image (it has no place)"],
])("a loss at the border %s is named in one line", (border, line) => {
  expect(lossSummary({ border, target: "x", losses: [image] })).toBe(line);
});
