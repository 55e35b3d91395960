import fc from "fast-check";
import { expect, test } from "vitest";
import { googleApi } from "../../src/dialects/google/index.js";
import { validateRequest } from "../fakes/google.js";
import { conversation } from "../generate/conversations.js";
import { sentMessages } from "../support/sent-messages.js";

const models = fc.constantFrom("gemini-2.5-flash", "gemini-3-pro-preview", "gemini-flash-latest");

const tool = {
  name: "read",
  description: "Reads",
  parameters: {
    type: "object",
    properties: { path: { anyOf: [{ const: "a" }, { type: ["string", "null"] }] } },
  },
};

test("Gemini takes every conversation, whoever it was held with", () => {
  const seen = { requests: 0, calls: 0, images: 0, older: 0 };
  fc.assert(
    fc.property(conversation, models, fc.boolean(), fc.boolean(), (messages, model, callIds, jsonSchema) => {
      const target = {
        dialect: "google",
        api: googleApi.api,
        provider: "google",
        model,
        images: true,
        rules: googleApi.rules,
      };
      const context = { messages: sentMessages(messages, target, () => undefined), tools: [tool] };
      const call = { model, context, options: { thinking: "low" as const, maxTokens: 100 }, stream: true };
      const body = googleApi.request(call, { callIds, jsonSchema }, () => undefined);
      if (context.messages.length === 0) return;
      expect(validateRequest(body, model), JSON.stringify(body)).toBeUndefined();
      seen.requests++;
      if (!jsonSchema) seen.older++;
      if (JSON.stringify(body).includes("functionCall")) seen.calls++;
      if (JSON.stringify(body).includes("inlineData")) seen.images++;
    }),
    { numRuns: 400 },
  );
  expect(seen.requests).toBeGreaterThan(200);
  expect(seen.calls).toBeGreaterThan(100);
  expect(seen.images).toBeGreaterThan(20);
  expect(seen.older).toBeGreaterThan(50);
});
