import { describe, expect, test } from "vitest";
import { cleanSchema } from "./clean-schema.js";

const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });

describe("cleanSchema", () => {
  test.each<[string, unknown, unknown]>([
    [
      "what is required and is no name is left out",
      object({ a: { type: "string" } }, { required: ["a", { toString: {} }] }),
      object({ a: { type: "string" } }, { required: ["a"] }),
    ],
    [
      "keywords Google does not know are left out, at every depth",
      object(
        {
          a: { type: "string", $comment: "x", examples: ["y"], default: "z", uniqueItems: true },
          b: {
            type: "array",
            items: object({ c: { type: "number", multipleOf: 2 } }, { additionalProperties: false }),
          },
        },
        {
          $schema: "http://json-schema.org/draft-07/schema#",
          $id: "i",
          additionalProperties: false,
          patternProperties: {},
        },
      ),
      object({ a: { type: "string" }, b: { type: "array", items: object({ c: { type: "number" } }) } }),
    ],
    [
      "also in arrays such as anyOf",
      object({
        a: {
          anyOf: [
            { type: "string", const: "x", $comment: "1" },
            { type: "array", items: { anyOf: [{ const: "y" }, { type: "number", exclusiveMinimum: 1 }] } },
            object({ b: { oneOf: [{ const: "p" }, { const: "q" }] } }, { additionalProperties: false }),
          ],
        },
      }),
      object({
        a: {
          anyOf: [
            { type: "string", enum: ["x"] },
            { type: "array", items: { anyOf: [{ type: "string", enum: ["y"] }, { type: "number" }] } },
            object({
              b: {
                anyOf: [
                  { type: "string", enum: ["p"] },
                  { type: "string", enum: ["q"] },
                ],
              },
            }),
          ],
        },
      }),
    ],
    [
      "properties may be called like keywords",
      object({
        $ref: { type: "string" },
        const: { type: "string" },
        additionalProperties: { type: "boolean" },
        type: { type: "integer" },
      }),
      object({
        $ref: { type: "string" },
        const: { type: "string" },
        additionalProperties: { type: "boolean" },
        type: { type: "integer" },
      }),
    ],
    ["null among types is nullable", { type: ["string", "null"] }, { type: "string", nullable: true }],
    [
      "several types are a union",
      { type: ["string", "integer", "null"], description: "d", minLength: 1 },
      {
        anyOf: [
          { description: "d", type: "string", minLength: 1, nullable: true },
          { description: "d", type: "integer", minLength: 1, nullable: true },
        ],
      },
    ],
    [
      "null among members is nullable, and a single member stands for the union",
      { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }], description: "outer", title: "T" },
      { type: "string", maxLength: 3, nullable: true, description: "outer", title: "T" },
    ],
    [
      "nothing stands beside anyOf",
      {
        anyOf: [{ type: "string" }, { type: "number", description: "own" }, { type: "null" }],
        description: "outer",
      },
      {
        anyOf: [
          { type: "string", description: "outer", nullable: true },
          { type: "number", description: "own", nullable: true },
        ],
      },
    ],
    [
      "members have the type of the union",
      { type: "string", anyOf: [{ pattern: "^a" }, { pattern: "^b" }] },
      {
        anyOf: [
          { type: "string", pattern: "^a" },
          { type: "string", pattern: "^b" },
        ],
      },
    ],
    [
      "a union of requirements does not cost the properties",
      object(
        { a: { type: "string" }, b: { type: "string" } },
        { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      ),
      object({ a: { type: "string" }, b: { type: "string" } }),
    ],
    [
      "references are put in place",
      {
        ...object({
          p: { $ref: "#/$defs/Point", description: "where" },
          l: { $ref: "#/definitions/List%3Ca~1b%3E" },
        }),
        $defs: { Point: object({ x: { $ref: "#/$defs/Num" } }), Num: { type: "number" } },
        definitions: { "List<a/b>": { type: "array", items: { type: "string" } } },
      },
      object({
        p: object({ x: { type: "number" } }, { description: "where" }),
        l: { type: "array", items: { type: "string" } },
      }),
    ],
    [
      "a schema within itself ends",
      {
        $ref: "#/$defs/Node",
        $defs: {
          Node: object({
            next: { $ref: "#/$defs/Node" },
            all: { type: "array", items: { $ref: "#/$defs/Node" } },
          }),
        },
      },
      object({ next: { type: "object" }, all: { type: "array", items: { type: "object" } } }),
    ],
    ["a reference elsewhere is any object", { $ref: "https://example.org/s.json" }, { type: "object" }],
    [
      "allOf is one schema",
      {
        allOf: [{ $ref: "#/$defs/Base" }, object({ b: { type: "number" } }, { required: ["b"] })],
        description: "both",
        $defs: { Base: object({ a: { type: "string" } }, { required: ["a"] }) },
      },
      object({ a: { type: "string" }, b: { type: "number" } }, { required: ["a", "b"], description: "both" }),
    ],
    [
      "only strings are listed",
      { enum: ["a", "b", null, ""] },
      { type: "string", enum: ["a", "b"], nullable: true },
    ],
    [
      "numbers are told",
      { type: "integer", enum: [1, 2], description: "How many." },
      { type: "integer", description: "How many. One of 1, 2." },
    ],
    ["a constant number is told", { const: 7 }, { type: "integer", description: "One of 7." }],
    ["a constant truth is told", { const: true }, { type: "boolean", description: "One of true." }],
    ["an empty list is none", { type: "string", enum: [] }, { type: "string" }],
    [
      "formats Google knows",
      object({
        a: { type: "string", format: "date-time" },
        b: { type: "integer", format: "int64" },
        c: { type: "string", format: "uri" },
      }),
      object({
        a: { type: "string", format: "date-time" },
        b: { type: "integer", format: "int64" },
        c: { type: "string" },
      }),
    ],
    [
      "what is required exists",
      object({ a: { type: "string" } }, { required: ["a", "gone"] }),
      object({ a: { type: "string" } }, { required: ["a"] }),
    ],
    ["an object without properties", { type: "object", properties: {}, required: [] }, { type: "object" }],
    ["a list without items", { type: "array" }, { type: "array", items: { type: "string" } }],
    [
      "a list of places",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    ],
    ["a list of one place", { items: [{ type: "string" }] }, { type: "array", items: { type: "string" } }],
    ["schemas that are true", object({ any: true }), object({ any: { type: "string" } })],
    ["types in capitals", { type: "STRING" }, { type: "string" }],
    [
      "types that go without saying",
      { properties: { a: { items: { type: "string" } } } },
      object({ a: { type: "array", items: { type: "string" } } }),
    ],
    [
      "__proto__ is a property",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","$id":"x"}}}'),
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    ],
  ])("%s", (_, schema, expected) => expect(cleanSchema(schema)).toEqual(expected));

  test("it is the same once it is clean", () => {
    const clean = object({
      a: { type: "string", enum: ["x"], nullable: true },
      b: { anyOf: [{ type: "string" }, { type: "number" }] },
    });
    expect(cleanSchema(clean)).toEqual(clean);
  });
});
