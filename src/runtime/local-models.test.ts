import { expect, test } from "vitest";
import { LocalModels } from "./local-models.js";

/** A server that answers as Ollama does, and counts the requests. */
function world(baseUrl: string) {
  const asked: string[] = [];
  let time = 0;
  return {
    asked,
    pass: (ms: number) => {
      time += ms;
    },
    env: () => undefined,
    now: () => time,
    fetch: async (url: string) => {
      asked.push(url);
      if (!url.startsWith(`${baseUrl}/`)) throw new TypeError("fetch failed");
      return new Response(JSON.stringify({ models: [{ name: "gemma3:4b", model: "gemma3:4b" }] }));
    },
  };
}

test("a server's models are listed, and asked for again after half a minute", async () => {
  const server = world("http://127.0.0.1:11434");
  const models = new LocalModels(server);
  expect(await models.list({})).toEqual(
    new Map([["ollama", { baseUrl: "http://127.0.0.1:11434", names: ["gemma3:4b"] }]]),
  );
  await models.list({});
  expect(server.asked).toEqual(["http://127.0.0.1:11434/api/tags"]);
  server.pass(30_000);
  await models.list({});
  expect(server.asked.length).toBe(2);
});

test("a server that does not answer has no names", async () => {
  const models = new LocalModels(world("http://127.0.0.1:11434"));
  const config = { providers: { ollama: { baseUrl: "http://127.0.0.1:1" } } };
  expect(await models.list(config)).toEqual(
    new Map([["ollama", { baseUrl: "http://127.0.0.1:1", names: undefined }]]),
  );
});
