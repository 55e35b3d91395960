import { expect, test } from "vitest";
import { formOf, inForm } from "./form.js";

test("a form has what differs, in whatever order it stands", () => {
  expect(formOf({ a: 1, b: { x: 1, y: [2] } }, { b: { y: [2], x: 1 }, a: 1 })).toEqual({});
  expect(formOf({ content: "", same: 1 }, { same: 1, extra: null })).toEqual({
    ours: { content: "" },
    theirs: { extra: null },
  });
  expect(formOf({ role: "user" }, { role: "User" })).toEqual({
    ours: { role: "user" },
    theirs: { role: "User" },
  });
});

test("what we write takes their form again", () => {
  const form = { ours: { content: "", role: "user" }, theirs: { role: "User", x: 1 } };
  expect(inForm({ role: "user", content: "" }, form)).toEqual({ role: "User", x: 1 });
});

test("what was changed since keeps the change", () => {
  expect(inForm({ content: "edited" }, { ours: { content: "" } })).toEqual({ content: "edited" });
  expect(inForm({ think: false }, { ours: { think: true }, theirs: { think: "low" } })).toEqual({
    think: false,
  });
});

test("a form that is none changes nothing", () => {
  for (const form of [undefined, null, "x", [], { ours: 1, theirs: "y" }]) {
    expect(inForm({ a: 1 }, form)).toEqual({ a: 1 });
  }
});

test("a field named __proto__ is a field", () => {
  const theirs = JSON.parse('{"__proto__":{"a":1}}');
  expect(JSON.stringify(inForm({}, formOf({}, theirs)))).toBe('{"__proto__":{"a":1}}');
});
