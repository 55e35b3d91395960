import { expect, test } from "vitest";
import type { Loss } from "../../core/types.js";
import { fitOutputSchema } from "./output-schema.js";

test("a schema has only what the API accepts, and the rest is reported with its place", () => {
  const losses: Loss[] = [];
  const fitted = fitOutputSchema(
    {
      type: "object",
      properties: {
        age: { type: "integer", minimum: 0 },
        mail: { type: "string", format: "email", maxLength: 9 },
        list: {
          type: "array",
          minItems: 2,
          items: { oneOf: [{ type: "object", additionalProperties: {} }] },
        },
        one: { type: "array", minItems: 1, items: { type: "string", format: "regex" } },
      },
    },
    (loss) => losses.push(loss),
  );
  expect(fitted).toEqual({
    type: "object",
    properties: {
      age: { type: "integer" },
      mail: { type: "string", format: "email" },
      list: { type: "array", items: { anyOf: [{ type: "object", additionalProperties: false }] } },
      one: { type: "array", minItems: 1, items: { type: "string" } },
    },
    additionalProperties: false,
  });
  expect(losses.map(({ at, severity }) => `${severity} ${at}`)).toEqual([
    "dropped /options/output/schema/properties/age/minimum",
    "dropped /options/output/schema/properties/mail/maxLength",
    "dropped /options/output/schema/properties/list/minItems",
    "approximated /options/output/schema/properties/list/items/oneOf/0/additionalProperties",
    "dropped /options/output/schema/properties/one/items/format",
  ]);
});
