import { expect, test } from "vitest";
import { ownNotes } from "./own-notes.js";

const { notesOf, extWith, addNotes, withNotes, othersIn, isForeign } = ownNotes("own");

test("notes are read from the dialect's name alone", () => {
  expect(notesOf({ ext: { own: { a: 1 }, other: { b: 2 } } })).toEqual({ a: 1 });
  expect(notesOf({ ext: { own: "text" } })).toEqual({});
  expect(notesOf(undefined)).toEqual({});
});

test("an ext has what says something", () => {
  expect(extWith({ fields: {}, absent: [], inside: {}, a: undefined })).toEqual({});
  expect(extWith({ a: [], fields: { x: 1 } }, ["/timestamp"])).toEqual({
    ext: { synthesised: ["/timestamp"], own: { a: [], fields: { x: 1 } } },
  });
  expect(extWith({}, ["/b"], { synthesised: ["/a"], other: 1 })).toEqual({
    ext: { synthesised: ["/a", "/b"], other: 1 },
  });
});

test("notes are added to those that are there", () => {
  const block = { type: "text", ext: { other: 1, own: { a: 1, b: 2 } } };
  expect(withNotes(block, { b: 3 })).toEqual({ type: "text", ext: { other: 1, own: { a: 1, b: 3 } } });
  expect(block.ext.own).toEqual({ a: 1, b: 2 });
  expect(withNotes(block, { c: undefined, absent: [] })).toEqual(block);
});

test("notes are added in place", () => {
  const block: { ext?: { own?: unknown } } = {};
  addNotes(block, { absent: [] });
  expect(block).toEqual({});
  addNotes(block, { a: 1 });
  addNotes(block, { b: 2 });
  expect(block).toEqual({ ext: { own: { a: 1, b: 2 } } });
});

test("what others keep is told apart", () => {
  expect(othersIn({ own: {}, other: 1 })).toEqual({ other: 1 });
  expect(othersIn({ own: {} })).toBeUndefined();
  expect(othersIn(undefined)).toBeUndefined();
  expect(isForeign({ other: 1 })).toBe(true);
  expect(isForeign({ own: 1 })).toBe(false);
  expect(isForeign({})).toBe(false);
  expect(isForeign("text")).toBe(false);
});
