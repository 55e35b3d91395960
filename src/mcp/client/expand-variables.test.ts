// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables under test
import { expect, test } from "vitest";
import { expandVariables } from "./expand-variables.js";

const env = (name: string) => ({ KEY: "abc", EMPTY: "", HOME: "/home/ann" })[name];

test.each([
  ["Bearer ${KEY}", "Bearer abc", ["abc"]],
  ["${HOME}/x", "/home/ann/x", []],
  ["${EMPTY:-other}", "other", ["other"]],
  ["${NONE:-}", "", [""]],
  ["$KEY and ${not a name}", "$KEY and ${not a name}", []],
])("%j is %j", (text, expanded, values) => {
  const secrets: string[] = [];
  expect(expandVariables(text, env, secrets)).toBe(expanded);
  expect(secrets).toEqual(values);
});

test("a variable that is not set is named", () => {
  expect(() => expandVariables("${NONE}", env, [])).toThrow("the environment variable NONE is not set");
});
