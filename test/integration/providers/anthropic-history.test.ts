import fc from "fast-check";
import { expect, test } from "vitest";
import { anthropicApi } from "../../../src/dialects/anthropic/index.js";
import { validateRequest } from "../../fakes/anthropic.js";
import { conversation } from "../../generate/conversations.js";
import { sentMessages } from "../../support/sent-messages.js";

const target = {
  dialect: "anthropic",
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  images: true,
  rules: anthropicApi.rules,
};

test("the API takes any conversation, once it was adjusted", () => {
  let asked = 0;
  fc.assert(
    fc.property(conversation, (messages) => {
      const context = { systemPrompt: "S", messages: sentMessages(messages, target, () => undefined) };
      const call = { model: target.model, context, options: { thinking: "low" as const }, stream: true };
      const body = anthropicApi.request(call, {}, () => undefined);
      // Nobody asks nothing.
      fc.pre(Array.isArray(body["messages"]) && body["messages"].length > 0);
      expect(validateRequest(body)).toBeUndefined();
      asked++;
    }),
    { numRuns: 500 },
  );
  expect(asked).toBeGreaterThanOrEqual(500);
});
