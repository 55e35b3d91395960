import { expect, test } from "vitest";
import { exposedName } from "./tool-names.js";

test.each([
  ["github", "create_issue", "github__create_issue"],
  ["github", "issues.create", "github__issues_create_83553973"],
  ["1password", "get", "_1password__get_be25d082"],
  ["a", "b__c", "a__b__c"],
  ["a__b", "c", "a__b__c_3539b0ba"],
  ["a_", "b", "a___b_94253610"],
  ["a", "_b", "a___b"],
])("%s and %s are %s", (server, tool, name) => {
  expect(exposedName(server, tool)).toBe(name);
});

test("names are no longer than providers accept, and stay different", () => {
  const [first, second] = ["x".repeat(128), `${"x".repeat(127)}y`].map((tool) => exposedName("server", tool));
  expect(first).toMatch(/^server__x{47}_[0-9a-f]{8}$/);
  expect(first).toHaveLength(64);
  expect(second).not.toBe(first);
});
