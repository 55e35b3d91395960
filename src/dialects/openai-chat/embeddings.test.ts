import { expect, test } from "vitest";
import type { Loss } from "../../core/types.js";
import { openaiEmbeddings } from "./embeddings.js";

const { embeddings } = openaiEmbeddings.endpoints;

test("tokens that a provider does not report are 0, and that is stated", () => {
  const losses: Loss[] = [];
  const asked = { body: {}, model: "m" };
  const answer = embeddings?.response({ vectors: [[1]] }, asked, (loss) => losses.push(loss));
  expect(answer?.["usage"]).toEqual({ prompt_tokens: 0, total_tokens: 0 });
  expect(losses).toEqual([
    {
      at: "/usage",
      what: "the input tokens",
      why: "the provider reports none, and the API requires a number",
      severity: "synthesised",
    },
  ]);
});

test.each([
  [{ encoding_format: "base64" }, [1], "AACAPw=="],
  [{ encoding_format: "base64" }, "AACAPw==", "AACAPw=="],
  [{ encoding_format: "float" }, "AACAPw==", [1]],
  [{}, "AACAPw==", [1]],
  [{}, [1], [1]],
  // Quantised vectors of other services are not floats.
  [{ encoding_format: "base64" }, [null], [null]],
  [{}, "AAA=", "AAA="],
])("a client that sends %j gets %j as %j", (body, embedding, expected) => {
  const response = { data: [{ index: 0, embedding }], model: "m-2026", vendor: 1 };
  expect(embeddings?.relay(response, { body, model: "acme/m" })).toEqual({
    data: [{ index: 0, embedding: expected }],
    model: "acme/m",
    vendor: 1,
  });
});

test("an answer without vectors is passed on", () => {
  const response = { object: "list", note: "none" };
  expect(embeddings?.relay(response, { body: {}, model: "m" })).toEqual(response);
});
