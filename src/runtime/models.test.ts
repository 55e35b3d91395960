import { expect, test } from "vitest";
import { cardOf } from "../providers/catalogue.js";
import { defaultModel } from "./models.js";

test.each([
  [{}, "demo/echo"],
  [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-sonnet-5-5"],
  [{ ANTHROPIC_API_KEY: " ", OPENAI_API_KEY: "k" }, "openai/gpt-6.1-sol"],
  [{ GOOGLE_API_KEY: "k" }, "google/gemini-3.8-flash"],
  [{ GEMINI_API_KEY: "k", OPENAI_API_KEY: "k" }, "openai/gpt-6.1-sol"],
])("with the environment %j it is %s", (env, expected) => {
  expect(defaultModel({}, env)).toBe(expected);
});

test("a key in the configuration counts", () => {
  expect(defaultModel({ providers: { google: { apiKey: "k" } } }, {})).toBe("google/gemini-3.8-flash");
});

test.each([
  ["anthropic", "claude-sonnet-5-5"],
  ["openai", "gpt-6.1-sol"],
  ["google", "gemini-3.8-flash"],
])("the catalogue knows what %s/%s costs", (provider, id) => {
  expect(cardOf(provider, id).prices).toBeDefined();
});
