import { expect, test } from "vitest";
import { embeddingGateway } from "./embedding-gateway.js";

const { gateway, withProvider, openai, google, ollama, post } = embeddingGateway();

test.each([
  [[1, 2, 3], "input[0]"],
  [["ab", [1, 2]], "input[1]"],
  [["ab", ""], "input[1]"],
  [[], "input"],
  [7, "input"],
])("input %j for another API", async (input, param) => {
  const { requests } = await withProvider("google");
  const response = await post("/v1/embeddings", { model: "acme/embedder", input });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", param } });
  expect(requests).toEqual([]);
});

test.each([
  ["/v1/embeddings", { input: "ab", dimensions: "many" }, "/dimensions"],
  ["/v1/embeddings", { input: "ab", encoding_format: "hex" }, "/encoding_format"],
  ["/api/embed", { input: [1] }, "/input/0"],
  ["/api/embeddings", { prompt: ["ab"] }, "/prompt"],
])("%s with %j, with the place", async (path, body, at) => {
  const response = await post(path, { model: "demo/echo", ...body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(`(at ${at})`);
});

test.each([
  ["embedContent", {}, "/content/parts"],
  [
    "embedContent",
    { content: { parts: [{ inlineData: { mimeType: "image/png", data: "" } }] } },
    "/content/parts/0",
  ],
  ["embedContent", { model: "models/other", content: { parts: [{ text: "a" }] } }, "/model"],
  ["batchEmbedContents", { requests: [] }, "/requests"],
  [
    "batchEmbedContents",
    {
      requests: [
        { content: { parts: [{ text: "a" }] }, outputDimensionality: 3 },
        { content: { parts: [{ text: "b" }] } },
      ],
    },
    "/requests/1/outputDimensionality",
  ],
])("%s with %j, with the place", async (method, body, at) => {
  const response = await post(`/v1beta/models/demo/echo:${method}`, body);
  expect(response.status).toBe(400);
  const { error } = await response.json();
  expect(error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
  expect(error.message).toContain(`(at ${at})`);
});

test("a request that names another model than its URL, also in the provider's own API", async () => {
  const { requests } = await withProvider("google");
  const content = { parts: [{ text: "a" }] };
  const response = await post("/v1beta/models/acme/embedder:batchEmbedContents", {
    requests: [
      { model: "models/acme/embedder", content },
      { model: "models/other", content },
    ],
  });
  expect(response.status).toBe(400);
  expect((await response.json()).error.message).toBe(
    'expected the model of the URL, models/acme/embedder, found "models/other" (at /requests/1/model)',
  );
  expect(requests).toEqual([]);
});

test.each(["anthropic/claude-opus-4-8", "bedrock/amazon.nova-pro-v1:0"])(
  "%s has no embeddings",
  async (model) => {
    await withProvider("openai");
    const message = `the provider of ${model} has no embeddings`;
    await expect(openai().embeddings.create({ model, input: "ab" })).rejects.toMatchObject({
      status: 400,
      param: "model",
      message: expect.stringContaining(message),
    });
    await expect(ollama().embed({ model, input: "ab" })).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringContaining(message),
    });
    await expect(google().models.embedContent({ model, contents: "ab" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  },
);

test("an agent has none either", async () => {
  await expect(openai().embeddings.create({ model: "agent/main", input: "ab" })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("an agent has no embeddings"),
  });
});

test("a provider's refusal has its status and the client's shape, without our key", async () => {
  await withProvider("openai");
  await expect(openai().embeddings.create({ model: "acme/other", input: "ab" })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining("The model `other` does not exist"),
  });
  const invalid = await post("/v1/embeddings", { model: "acme/embedder", input: "ab", odd: 1 });
  expect(invalid.status).toBe(400);
  expect(await invalid.json()).toMatchObject({
    error: { message: expect.stringContaining("Unrecognized request argument supplied: odd") },
  });
  await expect(ollama().embed({ model: "wrong/embedder", input: "ab" })).rejects.toMatchObject({
    status_code: 502,
    error: "the model's provider rejected this gateway's API key",
  });
});

test("a model that is not offered, a token that may only read, and a wrong token", async () => {
  const ask = (token: string, model: string) => post("/v1/embeddings", { model, input: "ab" }, token);
  const { status } = await ask(gateway().chat, "openai/text-embedding-3-small");
  expect(status).toBe(403);
  expect((await ask(gateway().read, "demo/echo")).status).toBe(403);
  const wrong = await ask("wrong", "demo/echo");
  expect(wrong.status).toBe(401);
  expect(await wrong.json()).toMatchObject({ error: { code: "invalid_api_key" } });
});
