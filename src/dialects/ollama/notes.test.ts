import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { GUARDED, restoreForm } from "./notes.js";

const formOf = (ours: JsonObject, theirs: JsonObject) => deviations(theirs, ours, GUARDED);

test("a form has what differs, in whatever order it stands", () => {
  expect(formOf({ a: 1, b: { x: 1, y: [2] } }, { b: { y: [2], x: 1 }, a: 1 })).toBeUndefined();
  expect(formOf({ content: "", same: 1 }, { same: 1, extra: null })).toEqual({
    fields: { extra: null },
    absent: ["content"],
    ours: { content: "" },
  });
  expect(formOf({ role: "user" }, { role: "User" })).toEqual({
    fields: { role: "User" },
    ours: { role: "user" },
  });
});

test("what we write takes their form again", () => {
  const ours = { role: "user", content: "" };
  const theirs = { role: "User", x: 1 };
  expect(restoreForm(ours, formOf(ours, theirs))).toEqual(theirs);
});

test("what was changed since keeps the change", () => {
  expect(restoreForm({ content: "edited" }, formOf({ content: "" }, {}))).toEqual({ content: "edited" });
  expect(restoreForm({ think: false }, formOf({ think: true }, { think: "low" }))).toEqual({ think: false });
});

test("a form of both sides, as logs have it, is read", () => {
  const form = { ours: { content: "", role: "user" }, theirs: { role: "User", x: 1 } };
  expect(restoreForm({ role: "user", content: "" }, form)).toEqual({ role: "User", x: 1 });
  expect(restoreForm({ content: "edited" }, { ours: { content: "" } })).toEqual({ content: "edited" });
  expect(restoreForm({ think: false }, { ours: { think: true }, theirs: { think: "low" } })).toEqual({
    think: false,
  });
});

test("a form that is none changes nothing", () => {
  for (const form of [undefined, null, "x", [], { ours: 1, theirs: "y" }]) {
    expect(restoreForm({ a: 1 }, form)).toEqual({ a: 1 });
  }
});

test("a field named __proto__ is a field", () => {
  const theirs = JSON.parse('{"__proto__":{"a":1}}');
  expect(JSON.stringify(restoreForm({}, formOf({}, theirs)))).toBe('{"__proto__":{"a":1}}');
  expect(JSON.stringify(restoreForm({}, { theirs }))).toBe('{"__proto__":{"a":1}}');
});
