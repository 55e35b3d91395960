import { expect, test } from "vitest";
import { derivedId, uniqueIds } from "./derive-id.js";

const hello = { role: "user" as const, content: "Hello", timestamp: 0 };

test("an id depends on what is said and on the place in the turn, and on nothing else", () => {
  expect(derivedId(hello, 0)).toBe("msg_93561eac00f77542");
  expect(derivedId({ ...hello }, 0)).toBe(derivedId(hello, 0));
  expect(derivedId({ ...hello, content: "Hullo" }, 0)).not.toBe(derivedId(hello, 0));
  expect(derivedId(hello, 1)).not.toBe(derivedId(hello, 0));
});

test("equal derived ids are numbered, also around a number that is taken; ids of others are left alone", () => {
  const id = "msg_0123456789abcdef";
  const ids = [id, id, "x", `${id}-2`, id, "x", undefined].map((one) => ({ id: one }));
  expect(uniqueIds(ids).map((message) => message["id"])).toEqual([
    id,
    `${id}-3`,
    "x",
    `${id}-2`,
    `${id}-4`,
    "x",
    undefined,
  ]);
});

test("many different messages have different ids", () => {
  const ids = new Set(
    Array.from({ length: 50_000 }, (_, index) => derivedId({ ...hello, content: `message ${index}` }, 0)),
  );
  expect(ids.size).toBe(50_000);
});
