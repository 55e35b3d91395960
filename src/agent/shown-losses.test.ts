import { expect, test } from "vitest";
import { says, scriptedModel } from "../../test/fakes/scripted-model.js";
import type { AgentMessage, Loss } from "../core/index.js";
import { run } from "./run.js";

test("what a run does not show its model is reported, with places in the conversation", async () => {
  const losses: Loss[] = [];
  const model = scriptedModel([says("Hi")]);
  const history: AgentMessage[] = [
    { role: "system", content: "Be brief.", timestamp: 1 },
    { role: "note", text: "n", timestamp: 1 },
    { role: "user", content: "1", timestamp: 1 },
    { role: "system", content: "Be kind.", timestamp: 1 },
  ];
  const prompt: AgentMessage = { role: "user", content: "2", timestamp: 2 };
  const options = {
    model,
    systemPrompt: "S",
    history,
    onLosses: (all: readonly Loss[]) => losses.push(...all),
  };
  for await (const _ of run([prompt], options));
  expect(model.asked).toMatchObject([
    {
      systemPrompt: "S\n\nBe brief.",
      messages: [
        { role: "user", content: "1" },
        { role: "system", content: "Be kind." },
        { role: "user", content: "2" },
      ],
    },
  ]);
  expect(losses.map(({ at, what }) => `${at} ${what}`)).toEqual([
    '/messages/1 a message with the role "note"',
  ]);
});
