import fc from "fast-check";
import { expect, test } from "vitest";
import { openaiChatApi } from "../../../src/dialects/openai-chat/index.js";
import { validateRequest } from "../../fakes/openai-chat.js";
import { conversation } from "../../generate/conversations.js";
import { sentMessages } from "../../support/sent-messages.js";

const target = {
  dialect: "openai-chat",
  api: "openai-completions",
  provider: "openai",
  model: "gpt-5.5",
  images: true,
  rules: openaiChatApi.rules,
};

test("the API takes any conversation, once it was adjusted", () => {
  let asked = 0;
  fc.assert(
    fc.property(conversation, (messages) => {
      const context = { systemPrompt: "S", messages: sentMessages(messages, target, () => undefined) };
      const call = { model: target.model, context, options: { thinking: "low" as const }, stream: true };
      expect(validateRequest(openaiChatApi.request(call, {}, () => undefined))).toBeUndefined();
      if (context.messages.length > 2) asked++;
    }),
    { numRuns: 500 },
  );
  expect(asked).toBeGreaterThan(150);
});
