import { expect, test } from "vitest";
import { driftsOf } from "./drift.js";

test("a drift has the code of its dialect", () => {
  const { error, warning } = driftsOf("cline");
  expect(error("/0/id", "bad-id", "the id is not a string")).toEqual({
    at: "/0/id",
    code: "cline/bad-id",
    message: "the id is not a string",
    severity: "error",
  });
  expect(warning("/0", "no-id", "there is no id", "write one")).toEqual({
    at: "/0",
    code: "cline/no-id",
    message: "there is no id",
    hint: "write one",
    severity: "warning",
  });
});
