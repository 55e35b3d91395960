import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/value.js";
import {
  deviations,
  forget,
  fromPointers,
  isAbsent,
  restore,
  stableDeviations,
  withFields,
} from "./deviation.js";

const parse = (text: string): JsonObject => JSON.parse(text);

describe("deviations", () => {
  test.each<[string, JsonObject, JsonObject, Parameters<typeof deviations>[2], unknown]>([
    ["the same", { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, {}, undefined],
    ["a field of its own", { a: 1, x: null }, { a: 1 }, {}, { fields: { x: null } }],
    ["a field that it lacks", { a: 1 }, { a: 1, b: 2 }, {}, { absent: ["b"] }],
    ["another value", { a: { b: 1 } }, { a: { b: 2, c: 3 } }, {}, { fields: { a: { b: 1 } } }],
    [
      "member by member where asked",
      { a: { b: 1, x: 1 }, d: { e: 1 } },
      { a: { b: 1, c: 3 }, d: { e: 2 } },
      { inside: new Set(["a"]) },
      { inside: { a: { fields: { x: 1 }, absent: ["c"] } }, fields: { d: { e: 1 } } },
    ],
    [
      "member by member at every depth",
      { a: { b: { c: 1, d: [1] } } },
      { a: { b: { c: 1, d: [2] } } },
      { inside: "all" },
      { inside: { a: { inside: { b: { fields: { d: [1] } } } } } },
    ],
    [
      "with what we would have written",
      { a: "A", x: 1 },
      { a: "a", b: "" },
      { guarded: true },
      { fields: { a: "A", x: 1 }, absent: ["b"], ours: { a: "a", b: "" } },
    ],
    ["guarded, of its own only", { x: 1 }, {}, { guarded: true }, { fields: { x: 1 }, ours: {} }],
  ])("%s", (_, written, ours, how, noted) => {
    const found = deviations(written, ours, how);
    expect(found).toEqual(noted);
    expect(restore(ours, found)).toEqual(written);
  });

  test("names that objects inherit are names like others", () => {
    const written = parse('{"__proto__":{"x":1},"constructor":1,"in":{"__proto__":2}}');
    const ours = parse('{"toString":1,"in":{"__proto__":3}}');
    const found = deviations(written, ours, { inside: "all" });
    expect(JSON.stringify(found)).toBe(
      '{"fields":{"__proto__":{"x":1},"constructor":1},"inside":{"in":{"fields":{"__proto__":2}}},"absent":["toString"]}',
    );
    expect(JSON.stringify(restore(ours, found))).toBe(
      '{"in":{"__proto__":2},"__proto__":{"x":1},"constructor":1}',
    );
  });
});

test("stable deviations are the same text for any order of the keys that we write", () => {
  const ours = { a: "a", b: { c: 1 } };
  for (const written of [
    { x: 1, b: { y: 2, c: 3 }, a: "A" },
    { a: "A", b: { c: 3, y: 2 }, x: 1 },
  ]) {
    expect(JSON.stringify(stableDeviations(written, ours, { inside: "all" }))).toBe(
      '{"fields":{"a":"A","x":1},"inside":{"b":{"fields":{"c":3,"y":2}}}}',
    );
  }
  expect(stableDeviations(ours, ours)).toBeUndefined();
});

describe("restore", () => {
  test("changes nothing that it was given", () => {
    const ours = { a: { b: 1 } };
    expect(restore(ours, { inside: { a: { fields: { b: 2 } } }, absent: ["c"] })).toEqual({ a: { b: 2 } });
    expect(ours).toEqual({ a: { b: 1 } });
  });

  test.each([undefined, null, "x", [], {}, { fields: 1, absent: {}, inside: [], other: 1 }, { absent: [1] }])(
    "gives back ours for %j",
    (noted) => {
      const ours = { a: 1 };
      expect(restore(ours, noted)).toBe(ours);
    },
  );

  test("passes over what is inside an object that is gone", () => {
    expect(restore({ a: "text" }, { inside: { a: { fields: { b: 1 } }, c: { fields: { d: 1 } } } })).toEqual({
      a: "text",
    });
  });

  test("leaves alone what was edited since", () => {
    const noted = deviations({ content: "A", role: "x" }, { content: "a", name: "n" }, { guarded: true });
    expect(restore({ content: "b", name: "n" }, noted)).toEqual({ content: "b", role: "x" });
    expect(restore({ content: "a", name: "m" }, noted)).toEqual({ content: "A", name: "m", role: "x" });
    expect(restore({ content: "a", name: "n", role: "y" }, noted)).toEqual({ content: "A", role: "y" });
  });
});

test("a deviation noted by pointers", () => {
  const noted = fromPointers({ "/a/b": 1, "/x~1y": 2, "no pointer": 3 }, ["/a/c", "/d", 4, "/a/e/f"]);
  expect(noted).toEqual({
    fields: { "x/y": 2 },
    absent: ["d"],
    inside: { a: { fields: { b: 1 }, absent: ["c"], inside: { e: { absent: ["f"] } } } },
  });
  expect(restore({ a: { c: 1, e: { f: 1, g: 1 } }, d: 1 }, noted)).toEqual({
    a: { b: 1, e: { g: 1 } },
    "x/y": 2,
  });
  expect(JSON.stringify(fromPointers(parse('{"/__proto__/__proto__":1}'), undefined))).toBe(
    '{"inside":{"__proto__":{"fields":{"__proto__":1}}}}',
  );
});

test("fields that the model has no word for never replace ours", () => {
  expect(JSON.stringify(withFields({ a: 1 }, { a: 2, b: 3 }))).toBe('{"a":1,"b":3}');
  expect(withFields({ a: 1 }, "none")).toEqual({ a: 1 });
});

test("what is noted of a field can be asked for and forgotten", () => {
  const noted = { absent: ["id", "type"], fields: { id: 1, x: 2 }, place: "here" };
  expect(isAbsent(noted, "id")).toBe(true);
  expect(isAbsent(noted, "x")).toBe(false);
  expect(forget(noted, "id")).toEqual({ absent: ["type"], fields: { x: 2 }, place: "here" });
  expect(forget({ place: "here" }, "id")).toEqual({ place: "here" });
});
