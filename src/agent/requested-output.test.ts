import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { calls, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import type { AgentMessage } from "../core/index.js";
import { run } from "./run.js";
import type { AgentModel, Tool } from "./types.js";

const hello: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };

const echo: Tool = {
  name: "echo",
  description: "Says it again",
  parameters: Type.Object({ text: Type.String() }),
  execute: async (args) => ({ content: JSON.stringify(args) }),
};

describe("a message that states the form of its answer", () => {
  const wish: AgentMessage = { ...hello, ext: { output: "json" } };

  /** The form that the model was asked for, each time. */
  async function outputs(prompts: AgentMessage[], history: AgentMessage[] = []): Promise<unknown[]> {
    const asked: unknown[] = [];
    const scripted = scriptedModel([calls(["a", "echo", { text: "x" }]), says("{}")]);
    const model: AgentModel = {
      ...scripted,
      stream: (context, options) => {
        asked.push(options?.output);
        return scripted.stream(context, options);
      },
    };
    const call = { output: { schema: { type: "object" } } };
    for await (const _ of run(prompts, { model, tools: [echo], history, call }));
    return asked;
  }

  test("has it in every turn, instead of the agent's", async () => {
    expect(await outputs([wish])).toEqual(["json", "json"]);
  });

  test("has it when the run is resumed", async () => {
    expect(await outputs([], [wish])).toEqual(["json", "json"]);
  });

  test("does not state that of a later message", async () => {
    const own = { schema: { type: "object" } };
    expect(await outputs([hello], [wish])).toEqual([own, own]);
  });
});
