import { expect, test } from "vitest";
import { painter } from "./colour.js";
import { counted, format, listing, percent, table, wrappedTable } from "./table.js";

test("columns stand under each other and nothing trails", () => {
  expect(
    table([
      ["openclaw", "95%", ""],
      ["pi", "5%", "x"],
    ]),
  ).toEqual(["openclaw  95%", "pi        5%   x"]);
});

test("colours take no room, and what a terminal shows as a picture takes two columns", () => {
  const paint = painter(true);
  expect(
    table([
      [paint("red", "ab"), "x"],
      ["\u{1f600}bc", "y"],
    ]),
  ).toEqual(["\u001b[31mab\u001b[39m    x", "\u{1f600}bc  y"]);
});

test("the last column is wrapped between words, and nothing is wrapped without a terminal", () => {
  const paint = painter(true);
  const rows = [
    [paint("green", "✓"), "sessions", "1 session with something unanswered: 01M7FZBV"],
    ["", "", "→ open it"],
  ];
  expect(wrappedTable(rows, 38)).toEqual([
    "\u001b[32m✓\u001b[39m  sessions  1 session with something",
    "             unanswered: 01M7FZBV",
    "             → open it",
  ]);
  expect(wrappedTable(rows, undefined)).toEqual(table(rows));
});

test("a table that is too wide for the terminal becomes records", () => {
  const rows = [
    ["ID", "NAME", "NOTE"],
    ["01JQ8Z", "dashboard", "reads everything that there is"],
    ["01JQ90", "ci", ""],
  ];
  expect(listing(rows, 80)).toEqual(table(rows));
  expect(listing(rows, 30)).toEqual([
    "ID    01JQ8Z",
    "NAME  dashboard",
    "NOTE  reads everything that",
    "      there is",
    "",
    "ID    01JQ90",
    "NAME  ci",
  ]);
});

test("records have what a table cuts off", () => {
  const cut = [
    ["ID", "   TITLE"],
    ["01JQ8Z", "A long t…"],
  ];
  const whole = [
    ["ID", "TITLE"],
    ["01JQ8Z", "A long title"],
  ];
  expect(listing(cut, 80, whole)).toEqual(["ID         TITLE", "01JQ8Z  A long t…"]);
  expect(listing(cut, 12, whole)).toEqual(["ID     01JQ8Z", "TITLE  A long", "       title"]);
});

test("no rows make no lines", () => {
  expect(table([])).toEqual([]);
});

test.each([
  [0, "0 messages"],
  [1, "1 message"],
  [1234567, "1,234,567 messages"],
])("%d is counted as %s", (count, text) => {
  expect(counted(count, "message")).toBe(text);
});

test("shares are as wide as the whole", () => {
  expect([0.054, 0.95, 1].map(percent)).toEqual(["  5%", " 95%", "100%"]);
});

test("large numbers have separators", () => {
  expect(format(1234)).toBe("1,234");
});
