import { expect, test } from "vitest";
import type { Loss } from "../../core/types.js";
import { request } from "./request.js";
import { strippedKeywords } from "./stripped-keywords.js";

const parameters = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    mode: { type: "string", default: "fast", not: { const: "slow" } },
    "a/b": { type: "array", items: { type: "integer", exclusiveMinimum: 0, default: 1 } },
    when: { type: "string", format: "date-time" },
    mail: { anyOf: [{ type: "string", format: "email" }, { type: "null" }] },
  },
  patternProperties: { "^x": { type: "string" } },
};

test("every keyword that Google has no word for is named once, with its first place", () => {
  expect(strippedKeywords(parameters)).toEqual([
    { keyword: "patternProperties", at: "/patternProperties", count: 1 },
    { keyword: "default", at: "/properties/mode/default", count: 2 },
    { keyword: "not", at: "/properties/mode/not", count: 1 },
    { keyword: "exclusiveMinimum", at: "/properties/a~1b/items/exclusiveMinimum", count: 1 },
    { keyword: "format", at: "/properties/mail/anyOf/0/format", count: 1 },
  ]);
});

test("a request reports them, when schemas must be cleaned for its model", () => {
  const losses: Loss[] = [];
  const tools = [{ name: "run", description: "", parameters }];
  const call = { model: "gemini-2.0-flash", context: { messages: [], tools }, options: {}, stream: false };
  request(call, {}, (loss) => losses.push(loss));
  expect(losses).toEqual([]);
  request(call, { jsonSchema: false }, (loss) => losses.push(loss));
  expect(losses.slice(0, 2)).toEqual([
    {
      at: "/tools/0/parameters/patternProperties",
      what: '"patternProperties" in the schema of run',
      why: "this model's schemas do not support this keyword",
      severity: "dropped",
    },
    {
      at: "/tools/0/parameters/properties/mode/default",
      what: '"default" in the schema of run, 2 times',
      why: "this model's schemas do not support this keyword",
      severity: "dropped",
    },
  ]);
  expect(losses).toHaveLength(5);
});
