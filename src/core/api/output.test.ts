import { describe, expect, test } from "vitest";
import type { Loss } from "../types.js";
import { followsStrictRules, labelSchema, writeNamedSchema } from "./output.js";

const closed = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

describe("OpenAI's strict mode", () => {
  test.each([
    ["an object with all its properties required and no others", closed, true],
    ["further properties", { ...closed, additionalProperties: true }, false],
    ["an optional property", { ...closed, required: [] }, false],
    ["a root that is not an object", { anyOf: [closed] }, false],
    ["a keyword it refuses", { ...closed, properties: { a: { oneOf: [{ type: "string" }] } } }, false],
    [
      "an open object in a list of definitions",
      { ...closed, $defs: { b: { type: "object", properties: {} } } },
      false,
    ],
    [
      "a closed object in a union",
      { ...closed, properties: { a: { anyOf: [closed, { type: "null" }] } } },
      true,
    ],
  ])("%s: %s", (_, schema, expected) => {
    expect(followsStrictRules(schema)).toBe(expected);
  });

  test("is on if the schema allows it, and as the caller says otherwise", () => {
    expect(writeNamedSchema({ schema: closed })).toEqual({ name: "output", schema: closed, strict: true });
    expect(writeNamedSchema({ schema: { type: "object", title: "A place" }, description: "d" })).toEqual({
      name: "A_place",
      description: "d",
      schema: { type: "object", title: "A place" },
      strict: false,
    });
    expect(writeNamedSchema({ schema: closed, name: "n", strict: false })).toMatchObject({ strict: false });
  });
});

test("labels become the schema's own, unless it has others", () => {
  const losses: Loss[] = [];
  const report = (loss: Loss) => losses.push(loss);
  expect(labelSchema({ schema: { type: "object" }, name: "n", description: "d" }, report)).toEqual({
    type: "object",
    title: "n",
    description: "d",
  });
  expect(labelSchema({ schema: { title: "n" }, name: "n" }, report)).toEqual({ title: "n" });
  expect(losses).toEqual([]);
  const schema = { title: "t", description: "e" };
  expect(labelSchema({ schema, name: "n", description: "d" }, report)).toEqual(schema);
  expect(losses).toEqual([
    {
      at: "/options/output/name",
      what: "the output's name",
      why: "this API has no field for it, and the schema has another title",
      severity: "dropped",
    },
    {
      at: "/options/output/description",
      what: "the output's description",
      why: "this API has no field for it, and the schema has another description",
      severity: "dropped",
    },
  ]);
});
