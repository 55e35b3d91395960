import { expect, test } from "vitest";
import { listServed, readList } from "./list-models.js";

test.each([
  ["of OpenAI", { data: [{ id: "a", created: 1_700_000_000 }] }, [{ id: "a", created: 1_700_000_000_000 }]],
  [
    "of Ollama",
    { models: [{ name: "a:1", model: "a:1", modified_at: "2026-01-01T00:00:00Z" }] },
    [{ id: "a:1", created: 1_767_225_600_000 }],
  ],
  [
    "without a head",
    [
      { id: "a", type: "chat", context_length: 8192 },
      { id: "b", type: "embedding" },
    ],
    [{ id: "a", contextWindow: 8192 }],
  ],
  ["with what cannot chat", { data: [{ id: "a", capabilities: { completion_chat: false } }] }, []],
  [
    "with dates that are none",
    {
      data: [
        { id: "a", created: 0 },
        { id: "b", modified_at: "soon" },
      ],
    },
    [{ id: "a" }, { id: "b" }],
  ],
  ["of something else", { hello: "world" }, []],
  ["with entries that are none", { data: [1, null, {}, { id: "" }, { id: "a" }] }, [{ id: "a" }]],
])("a list %s", (_, body, expected) => {
  expect(readList(body)).toEqual(expected);
});

test("is asked for with the key, and not followed elsewhere", async () => {
  const asked: unknown[] = [];
  const fetch = async (url: string, { headers, redirect }: RequestInit) => {
    asked.push({ url, key: new Headers(headers).get("authorization"), redirect });
    return Response.json({ data: [{ id: "m" }] });
  };
  const env = (name: string) => ({ GROQ_API_KEY: "KEY" })[name];
  const { signal } = new AbortController();
  expect(await listServed("groq", {}, { env, fetch }, signal)).toEqual([{ id: "m" }]);
  expect(asked).toEqual([
    { url: "https://api.groq.com/openai/v1/models", key: "Bearer KEY", redirect: "manual" },
  ]);
  expect(await listServed("anthropic", { apiKey: "k" }, { env, fetch }, signal)).toBeUndefined();
});
