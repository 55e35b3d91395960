import { expect, test } from "vitest";
import { resolveKey } from "./keys.js";

const env = (values: Record<string, string>) => (name: string) => values[name];

test.each([
  ["the given one first", "given", { A_KEY: "a", ACME_API_KEY: "generic" }, { value: "given" }],
  [
    "then the provider's variables in order",
    undefined,
    { B_KEY: "b", A_KEY: "a", ACME_API_KEY: "generic" },
    { value: "a", variable: "A_KEY" },
  ],
  [
    "then the generic name",
    undefined,
    { ACME_API_KEY: "generic" },
    { value: "generic", variable: "ACME_API_KEY" },
  ],
  ["blank ones are none", " ", { A_KEY: "", B_KEY: " b " }, { value: "b", variable: "B_KEY" }],
])("%s", (_, explicit, values, expected) => {
  expect(resolveKey("acme", ["A_KEY", "B_KEY"], explicit, env(values))).toEqual(expected);
});

test("a missing key names the variables", () => {
  expect(() => resolveKey("my-cloud", ["CLOUD_TOKEN"], undefined, env({}))).toThrow(
    expect.objectContaining({
      code: "provider/no-key",
      message: "there is no API key for my-cloud",
      hint: "set CLOUD_TOKEN or MY_CLOUD_API_KEY, or pass apiKey",
    }),
  );
});
