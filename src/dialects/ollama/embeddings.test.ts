import { expect, test } from "vitest";
import { ollamaEmbeddings } from "./embeddings.js";

const { embed, embeddings } = ollamaEmbeddings.endpoints;
const never = () => undefined;

test("0 dimensions are the model's own", () => {
  const body = { model: "m", input: "a", dimensions: 0 };
  expect(embed?.readRequest({ body, model: "m" }, never)).toEqual({ texts: ["a"], options: {} });
});

test("an answer has what the provider reported", () => {
  const asked = { body: {}, model: "acme/m" };
  expect(embed?.response({ vectors: [[1]] }, asked, never)).toEqual({ model: "acme/m", embeddings: [[1]] });
  expect(embeddings?.response({ vectors: [] }, asked, never)).toEqual({ embedding: [] });
  expect(embed?.relay({ embeddings: [] }, asked)).toEqual({ embeddings: [] });
});
