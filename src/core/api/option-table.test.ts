import { expect, test } from "vitest";
import { googleApi } from "../../dialects/google/index.js";
import { closestLevel } from "./effort.js";
import { checkOptionTypes, mergeFields, optionContainers, optionPlace, readOptions } from "./option-table.js";
import type { CallOptions } from "./provider.js";

const table = googleApi.options;

test("what is left of a request is what no option states", () => {
  const body = {
    labels: {},
    generationConfig: { topP: 0.5, seed: null, thinkingConfig: { thinkingLevel: "low", shown: 1 } },
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
  };
  expect(readOptions(table, body)).toEqual({
    options: { topP: 0.5, thinking: "low", toolChoice: "auto" },
    rest: { labels: {}, generationConfig: { seed: null, thinkingConfig: { shown: 1 } } },
  });
});

test("a field of the wrong type is named", () => {
  expect(() => checkOptionTypes(table, { generationConfig: { temperature: "hot" } })).toThrow(
    expect.objectContaining({ code: "model/invalid", at: "/generationConfig/temperature" }),
  );
  checkOptionTypes(table, { generationConfig: { temperature: null } });
});

test("an option has its place in a request that states it", () => {
  const body = { generationConfig: { stopSequences: ["x"] } };
  expect(optionPlace(table, "stop", body)).toBe("/generationConfig/stopSequences");
  expect(optionPlace(table, "seed", body)).toBeUndefined();
  expect(optionPlace(table, "user", body)).toBeUndefined();
});

test("further fields are merged into objects that hold options, and replace others", () => {
  const ours = { generationConfig: { topP: 1, seed: 2 }, labels: { a: 1 } };
  const theirs = { generationConfig: { topP: 3 }, labels: { b: 2 } };
  expect(mergeFields(ours, theirs, optionContainers(table))).toEqual({
    generationConfig: { topP: 3, seed: 2 },
    labels: { b: 2 },
  });
});

test("what an API does anyway is not lost", () => {
  const losses: string[] = [];
  const context = { messages: [] };
  const write = (options: CallOptions) =>
    googleApi.request({ model: "m", context, options, stream: false }, {}, ({ at }) => losses.push(at));
  expect(write({ parallelToolCalls: true })).toEqual({ contents: [] });
  expect(losses).toEqual([]);
  write({ parallelToolCalls: false, user: "u" });
  expect(losses).toEqual(["/options/parallelToolCalls", "/options/user"]);
});

test.each([
  ["minimal", "low"],
  ["medium", "high"],
  ["max", "high"],
] as const)("the closest level of %s is %s", (level, expected) => {
  expect(closestLevel(level, ["low", "high"])).toBe(expected);
});
