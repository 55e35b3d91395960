import { describe, expect, test } from "vitest";
import { sampleJson, sampleOf } from "./sample.js";

const text = "Oslo";

describe("a sample fits its schema", () => {
  test.each([
    ["a number with a limit below 1", { type: "number", minimum: 0.25, maximum: 0.5 }, 0.25],
    ["a number between exclusive limits", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ["a negative number", { type: "number", exclusiveMaximum: 0 }, -1],
    ["a negative integer", { type: "integer", maximum: -2.5 }, -3],
    ["an integer above a limit", { type: "integer", exclusiveMinimum: 4 }, 5],
    ["a safe integer", { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }, 1],
    ["a multiple", { type: "integer", multipleOf: 5, minimum: 7 }, 10],
    [
      "a multiple that is a fraction",
      { type: "number", multipleOf: 0.1, minimum: 0.25 },
      0.30000000000000004,
    ],
    ["an email address", { type: "string", format: "email" }, "demo@example.com"],
    ["an address", { type: "string", format: "ipv4" }, "192.0.2.1"],
    ["a longer text", { type: "string", minLength: 6 }, "Osloxx"],
    ["a shorter text", { type: "string", maxLength: 2 }, "Os"],
    ["a constant", { const: false }, false],
    ["an enum with null", { enum: [null, "a"] }, null],
    ["a type or null", { type: ["integer", "null"] }, 1],
    ["null", { type: "null" }, null],
    ["an array without a minimum", { type: "array", items: { type: "string" } }, []],
    ["an array with one", { type: "array", items: { type: "boolean" }, minItems: 2 }, [true, true]],
    ["a tuple", { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }] }, [1, "Oslo"]],
    ["a record", { type: "object", additionalProperties: { type: "string" } }, {}],
    ["anything", {}, "Oslo"],
  ])("%s", (_, schema, expected) => expect(sampleOf(schema, text)).toEqual(expected));

  test("a union of objects, by its first member", () => {
    const cat = { type: "object", properties: { kind: { const: "cat" } }, required: ["kind"] };
    const dog = { type: "object", properties: { kind: { const: "dog" } }, required: ["kind"] };
    expect(sampleOf({ oneOf: [cat, dog] }, text)).toEqual({ kind: "cat" });
  });

  test("an object with a condition in a union beside its properties", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "integer" } },
      required: ["a"],
      anyOf: [{ required: ["b"] }, { required: ["c"] }],
    };
    expect(sampleOf(schema, text)).toEqual({ a: "Oslo", b: 1 });
  });

  test("all of several schemas, by reference or not", () => {
    const schema = {
      $defs: { named: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
      allOf: [{ $ref: "#/$defs/named" }, { properties: { age: { type: "integer" } }, required: ["age"] }],
    };
    expect(sampleOf(schema, text)).toEqual({ name: "Oslo", age: 1 });
  });

  test("a tree ends with the member that has no children", () => {
    const schema = {
      $ref: "#/$defs/tree",
      $defs: {
        tree: { anyOf: [{ $ref: "#/$defs/node" }, { $ref: "#/$defs/leaf" }, { $ref: "#/$defs/pair" }] },
        node: { type: "object", properties: { child: { $ref: "#/$defs/tree" } }, required: ["child"] },
        leaf: { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
        pair: {
          type: "array",
          items: { $ref: "#/$defs/tree" },
          minItems: 2,
        },
      },
    };
    expect(sampleOf(schema, text)).toEqual({ child: { child: { child: { size: 1 } } } });
  });
});

test("any JSON is an object", () => expect(sampleJson("json", text)).toBe('{"text":"Oslo"}'));

describe("a schema that asks for too much is refused at once", () => {
  const nested = { type: "array", minItems: 1000, items: { type: "array", minItems: 1000, items: {} } };
  const self = { allOf: Array.from({ length: 10 }, () => ({ $ref: "#" })) };
  test.each([
    ["items", { type: "array", minItems: 1e9, items: { type: "integer" } }],
    ["items of items", nested],
    ["characters", { type: "string", minLength: 1e9 }],
    ["references", self],
  ])("%s", (_, schema) => {
    expect(() => sampleOf(schema, text)).toThrow(
      expect.objectContaining({ code: "model/invalid", details: { retryable: false } }),
    );
  });
});
