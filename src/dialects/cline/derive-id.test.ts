import { expect, test } from "vitest";
import { derivedId, uniqueIds, withDerivedId } from "./derive-id.js";

const hello = { role: "user" as const, content: "Hello", timestamp: 0 };

test("an id depends on what is said and on the place in the turn, and on nothing else", () => {
  expect(derivedId(hello, 0)).toBe("msg_93561eac00f77542");
  expect(derivedId({ ...hello }, 0)).toBe(derivedId(hello, 0));
  expect(derivedId({ ...hello, content: "Hullo" }, 0)).not.toBe(derivedId(hello, 0));
  expect(derivedId(hello, 1)).not.toBe(derivedId(hello, 0));
});

const idsOf = (...records: Record<string, unknown>[]) => uniqueIds(records).map(({ id }) => id);

test("equal derived ids are numbered, also around an id that is taken", () => {
  const derived = () => withDerivedId({ id: "m" });
  expect(idsOf(derived(), derived(), { id: "x" }, { id: "m-2" }, derived())).toEqual([
    "m",
    "m-3",
    "x",
    "m-2",
    "m-4",
  ]);
  expect(idsOf(derived(), { id: "m" })).toEqual(["m-2", "m"]);
});

test("a copy of a record is numbered like the record; ids of others are left alone", () => {
  const derived = withDerivedId({ id: "m" });
  expect(idsOf(derived, { ...derived, more: 1 })).toEqual(["m", "m-2"]);
  expect(idsOf({ id: "m" }, { id: "m" }, {}, {})).toEqual(["m", "m", undefined, undefined]);
});

test("many different messages have different ids", () => {
  const ids = new Set(
    Array.from({ length: 50_000 }, (_, index) => derivedId({ ...hello, content: `message ${index}` }, 0)),
  );
  expect(ids.size).toBe(50_000);
});

test("the order of keys makes no other id", () => {
  const image = { type: "image" as const, data: "", mimeType: "image/png" };
  const turned = { mimeType: "image/png", type: "image" as const, data: "" };
  expect(derivedId({ ...hello, content: [turned] }, 0)).toBe(derivedId({ ...hello, content: [image] }, 0));
});
