import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentMessage } from "../../../src/core/index.js";
import { openaiResponsesApi as api } from "../../../src/dialects/openai-responses/index.js";
import { validateRequest } from "../../fakes/openai-responses.js";
import { conversation } from "../../generate/conversations.js";
import { sentMessages } from "../../support/sent-messages.js";

const target = {
  dialect: api.dialect,
  api: api.api,
  provider: "openai",
  model: "gpt-5.5",
  images: true,
  rules: api.rules,
};

/** Answers of this API, half of them of the model that is asked; it takes no names with dots. */
function signed(messages: AgentMessage[]): AgentMessage[] {
  let count = 0;
  return JSON.parse(JSON.stringify(messages).replaceAll("weather.get", "weather_get"), (key, value) => {
    if (key === "provider" || key === "api") return target[key];
    if (key === "textSignature") return JSON.stringify({ v: 1, id: `msg_${count++}` });
    if (key !== "thinkingSignature") return value;
    return JSON.stringify({ type: "reasoning", id: `rs_${count++}`, summary: [], encrypted_content: "x" });
  });
}

test("any conversation makes a request that the API takes", () => {
  const seen = { requests: 0, reasoning: 0, calls: 0 };
  fc.assert(
    fc.property(conversation, (messages) => {
      const history = sentMessages(signed(messages), target, () => undefined);
      if (history.length === 0) return;
      const call = { model: "gpt-5.5", context: { messages: history }, options: {}, stream: true };
      const body = api.request(call, {}, () => undefined);
      const text = JSON.stringify(body);
      if (Array.isArray(body["input"]) && body["input"].length === 0) return;
      expect(validateRequest(body), text).toBeUndefined();
      seen.requests++;
      if (text.includes('"encrypted_content"')) seen.reasoning++;
      if (text.includes('"function_call_output"')) seen.calls++;
    }),
    { numRuns: 300 },
  );
  expect(seen.requests).toBeGreaterThan(120);
  expect(seen.reasoning).toBeGreaterThan(8);
  expect(seen.calls).toBeGreaterThan(50);
});
