import { describe, expect, test } from "vitest";
import { modelsNamed, resolveName } from "./model-names.js";
import type { Config } from "./schema.js";

const config: Config = {
  aliases: { fast: "groq/x", "gpt-4o[1m]": "demo/echo", constructor: "demo/tools" },
  providers: { mine: { baseUrl: "http://localhost/v1" } },
};

test.each([
  ["fast", "groq/x"],
  ["fast[1M]", "groq/x"],
  ["gpt-4o[1m]", "demo/echo"],
  ["gpt-4o", "openai/gpt-4o"],
  ["gpt-4o[200k]", "openai/gpt-4o"],
  ["gpt-4o[beta]", "openai/gpt-4o[beta]"],
  ["constructor", "demo/tools"],
  ["toString", "openai/toString"],
  ["groq/y", "groq/y"],
  ["mine/y", "mine/y"],
  ["demo/echo", "demo/echo"],
  ["agent/main", "agent/main"],
  ["acme/y", "acme/y"],
  ["hf.co/a/b", "openai/hf.co/a/b"],
])("%s is %s", (name, expected) => {
  expect(resolveName(config, name, { provider: "openai", isChosen: false })).toBe(expected);
});

test("names of unknown providers belong to the provider that the operator chose", () => {
  expect(resolveName(config, "acme/y", { provider: "openrouter", isChosen: true })).toBe("openrouter/acme/y");
});

describe("lists of models", () => {
  const lists: Config = {
    aliases: {
      smart: { models: ["anthropic/a", { model: "fast", on: ["overload"] }] },
      best: { models: [{ model: "smart", on: ["context"] }, "openai/c"] },
      fast: "groq/b",
      constructor: { models: ["demo/echo"] },
    },
  };

  test("keep their name", () => {
    expect(resolveName(lists, "smart[1m]", { provider: "openai", isChosen: false })).toBe("smart");
  });

  test.each<[string, ReturnType<typeof modelsNamed>]>([
    ["smart", [{ name: "anthropic/a" }, { name: "groq/b", on: ["overload"] }]],
    ["smart[1m]", [{ name: "anthropic/a" }, { name: "groq/b", on: ["overload"] }]],
    ["constructor", [{ name: "demo/echo" }]],
    ["fast", [{ name: "groq/b" }]],
    ["anthropic/z", [{ name: "anthropic/z" }]],
    [
      "best",
      [{ name: "anthropic/a", on: ["context"] }, { name: "groq/b", on: ["overload"] }, { name: "openai/c" }],
    ],
  ])("%s", (name, expected) => {
    expect(modelsNamed(lists, name)).toEqual(expected);
  });
});

test("without a provider for them, bare names stay bare", () => {
  expect(resolveName({}, "gpt-4o")).toBe("gpt-4o");
});
