import { expect, test } from "vitest";
import { loadApi } from "../../dialects/registry.js";
import type { Family } from "./family.js";
import { placeTools } from "./tool-places.js";

const family: Family = {
  api: await loadApi("openai-responses"),
  provider: "openai",
  modelAt: "/model",
  essential: {},
  list: "input",
  roles: [],
  isFunction: () => true,
  ping: () => "",
};

const loss = (at: string) => ({ at, what: "it", why: "because", severity: "dropped" as const });
const schema = { type: "object", properties: { a: { default: 1 } }, additionalProperties: false };

test.each([
  ["parameters", undefined],
  ["input_schema", ["input_schema"]],
  ["parametersJsonSchema", ["parameters", "parametersJsonSchema"]],
])("a keyword is found in the schema that the API calls %s", (name, schemaFields) => {
  const body = { tools: [{ name: "f", [name]: schema, strict: true }] };
  const placed = placeTools(
    { ...family, ...(schemaFields === undefined ? {} : { schemaFields }) },
    body,
    ["/tools/0/parameters/properties/a/default", "/tools/0/strict", "/tools/0/cache", "/model"].map(loss),
  );
  expect(placed.map(({ at }) => at)).toEqual([
    `/tools/0/${name}/properties/a/default`,
    "/tools/0/strict",
    "/tools/0",
    "/model",
  ]);
});

test("a keyword of a schema that the client did not send is not its loss", () => {
  const body = { tools: [{ type: "custom", name: "patch" }, { type: "local_shell" }] };
  const losses = ["/tools/0/parameters/additionalProperties", "/tools/1/parameters/additionalProperties"];
  expect(placeTools(family, body, losses.map(loss))).toEqual([]);
});
