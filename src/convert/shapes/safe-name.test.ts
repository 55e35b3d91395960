import { describe, expect, test } from "vitest";
import { isSafeValue, safeKey } from "./safe-name.js";

const secrets = [
  "sk-ant-api-AbCdEfGhIjKl",
  "0f8fad5b-d9cb-469f-a165-70867728950e",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "/home/ann/notes",
  "C:\\Users\\ann",
  "ann@example.org",
  "two words",
  "\u001b[31mred",
  "line\nbreak",
  "geheimnisvoll€",
  "<script>",
  "a|b",
  "12345",
  "",
  "x".repeat(41),
];

describe("what could be content is not shown", () => {
  test.each(secrets)("%j", (text) => {
    expect(safeKey(text)).toBe("{key}");
    expect(isSafeValue(text)).toBe(false);
  });

  test("a key is not the name of a file or a host", () => expect(safeKey("notes.txt")).toBe("{key}"));
});

test.each(["parentUuid", "cache_read_input_tokens", "$set", "_meta", "base64", "retry-after"])(
  "the key %s is shown",
  (key) => expect(safeKey(key)).toBe(key),
);

test.each(["session.start", "compact_boundary", "web_search_20250305", "step-finish"])(
  "the value %s is shown",
  (value) => expect(isSafeValue(value)).toBe(true),
);
