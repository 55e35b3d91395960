import { expect, test } from "vitest";
import { joinScopes, readChallenge } from "./challenge.js";

test.each([
  [null, {}],
  ["Basic realm=x", {}],
  ["Bearer", {}],
  ['Bearer error="invalid_token"', { error: "invalid_token" }],
  [
    'bearer realm="a, b", resource_metadata="https://x.test/.well-known/p", scope="a:b c"',
    { resourceMetadata: "https://x.test/.well-known/p", scope: "a:b c" },
  ],
  ["Bearer scope=files", { scope: "files" }],
  ['Basic realm="x", Bearer scope="y"', { scope: "y" }],
  ['Bearer scope="say \\"hi\\""', { scope: 'say "hi"' }],
  ['Bearer scope="first", scope="second"', { scope: "first" }],
  ['Bearer scope="never closed', {}],
])("%s is read", (header, expected) => {
  expect(readChallenge(header)).toEqual(expected);
});

test("scopes are joined without repetition", () => {
  expect(joinScopes("a b", undefined, "b  c")).toBe("a b c");
  expect(joinScopes(undefined, "")).toBeUndefined();
});
