import { expect, test } from "vitest";
import { decodeHeaderValue, encodeHeaderValue } from "./header-value.js";

test.each([
  ["search", "search"],
  ["two words", "two words"],
  ["Zürich", "=?base64?WsO8cmljaA==?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["", "=?base64??="],
  ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ["a\nb", "=?base64?YQpi?="],
])("%j travels as %j", (text, value) => {
  expect(encodeHeaderValue(text)).toBe(value);
  expect(decodeHeaderValue(value)).toBe(text);
});

test("invalid Base64 is not a text", () => {
  expect(decodeHeaderValue("=?base64?x?=")).toBeUndefined();
});
