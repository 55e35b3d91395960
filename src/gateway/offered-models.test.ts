import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { Runtime } from "../runtime/runtime.js";
import type { Config } from "../runtime/schema.js";
import { offeredModels } from "./offered-models.js";

function runtimeWith(config: Config): Runtime {
  const runtime = new Runtime({ home: temporaryFolder(), config });
  onTestFinished(() => runtime.close());
  return runtime;
}

const two: Config = {
  model: "demo/echo",
  agents: { main: {}, helper: { model: "openai/gpt-5" } },
  models: { "anthropic/claude-opus-4-6": {} },
};

test("one agent on a model that costs something is enough for the demo models to be offered no more", () => {
  expect(offeredModels(runtimeWith(two), { scope: "chat" })).toEqual([
    "demo/echo",
    "openai/gpt-5",
    "anthropic/claude-opus-4-6",
  ]);
  expect(offeredModels(runtimeWith({ model: "demo/echo" }), { scope: "chat" })).toContain("demo/tools");
});

test("a token that is bound to agents is offered no model of the others", () => {
  expect(offeredModels(runtimeWith(two), { scope: "chat", agents: ["helper"] })).toEqual([
    "openai/gpt-5",
    "anthropic/claude-opus-4-6",
  ]);
});
