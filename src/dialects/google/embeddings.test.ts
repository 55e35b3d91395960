import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { googleEmbeddings } from "./embeddings.js";

const { embedContent, batchEmbedContents } = googleEmbeddings.endpoints;

function read(body: JsonObject) {
  const losses: Loss[] = [];
  const request = embedContent?.readRequest({ body, model: "m" }, (loss) => losses.push(loss));
  return { request, losses };
}

const content = { parts: [{ text: "a" }] };

test.each([
  { content, outputDimensionality: 3 },
  { content, output_dimensionality: 3 },
  { content, embedContentConfig: { outputDimensionality: 3 } },
  { model: "models/m", content, outputDimensionality: 3, taskType: null },
])("%j asks for three dimensions", (body) => {
  expect(read(body)).toEqual({ request: { texts: ["a"], options: { dimensions: 3 } }, losses: [] });
});

test("settings of a text that no other API has are losses", () => {
  const { losses } = read({ content, title: "T", embedContentConfig: { taskType: "CLUSTERING" } });
  expect(losses.map(({ at, severity }) => [at, severity])).toEqual([
    ["/title", "dropped"],
    ["/embedContentConfig/taskType", "dropped"],
  ]);
});

test("the parts of a content are one text", () => {
  const { request, losses } = read({ content: { parts: [{ text: "a" }, { text: "b" }] } });
  expect(request?.texts).toEqual(["ab"]);
  expect(losses).toEqual([
    {
      at: "/content/parts",
      what: "the parts of a content",
      why: "other APIs have one text for each vector; the texts are joined",
      severity: "approximated",
    },
  ]);
});

test("tokens are stated only where the provider reported them", () => {
  const asked = { body: {}, model: "m" };
  const never = () => undefined;
  expect(embedContent?.response({ vectors: [[1]] }, asked, never)).toEqual({ embedding: { values: [1] } });
  expect(batchEmbedContents?.response({ vectors: [[1]], inputTokens: 2 }, asked, never)).toEqual({
    embeddings: [{ values: [1] }],
    usageMetadata: { promptTokenCount: 2 },
  });
});

test("a model's name is escaped in the path", () => {
  expect(googleEmbeddings.path("a b/c")).toBe("/models/a%20b%2Fc:batchEmbedContents");
});
