import { describe, expect, test } from "vitest";
import { check, type Provider, providers } from "../check.js";

const assistant = (content: unknown[], rest: object = {}) => ({
  role: "assistant",
  content,
  timestamp: 0,
  ...rest,
});
const user = (content: unknown) => ({ role: "user", content, timestamp: 0 });
const call = (id: string, name = "read") => ({ type: "toolCall", id, name, arguments: {} });
const result = (toolCallId: string, content: unknown[] = [], toolName = "read") => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content,
  isError: false,
  timestamp: 0,
});
const text = (value: string) => ({ type: "text", text: value });
const image = (mimeType: string) => ({ type: "image", data: "AAAA", mimeType });
const longId = `call_${"x".repeat(36)}`;

async function refused(messages: object[], provider: Provider): Promise<string[]> {
  const input = messages.map((message) => JSON.stringify(message)).join("\n");
  const { problems } = await check(input, { from: "openclaw", for: provider });
  return problems.filter(({ code }) => code.startsWith(provider)).map(({ at, code }) => `${at} ${code}`);
}

const cases: [string, object[], Partial<Record<Provider, string[]>>][] = [
  ["a plain exchange", [user("hi"), assistant([text("hello")])], {}],
  [
    "an id of 41 characters",
    [user("hi"), assistant([call(longId)]), result(longId)],
    { "openai-chat": ["/1/content/0/id openai-chat/tool-id", "/2/toolCallId openai-chat/tool-id"] },
  ],
  [
    "an id with a dot",
    [user("hi"), assistant([call("a.b")]), result("a.b")],
    { anthropic: ["/1/content/0/id anthropic/tool-id", "/2/toolCallId anthropic/tool-id"] },
  ],
  [
    "the ids of a call and its item in one",
    [user("hi"), assistant([call("call_1|fc_1")]), result("call_1|fc_1")],
    { anthropic: ["/1/content/0/id anthropic/tool-id", "/2/toolCallId anthropic/tool-id"] },
  ],
  [
    "a name with a dot",
    [user("hi"), assistant([call("c", "a.b")]), result("c", [], "a.b")],
    {
      anthropic: ["/1/content/0/name anthropic/tool-name", "/2/toolName anthropic/tool-name"],
      "openai-chat": ["/1/content/0/name openai-chat/tool-name", "/2/toolName openai-chat/tool-name"],
      "openai-responses": [
        "/1/content/0/name openai-responses/tool-name",
        "/2/toolName openai-responses/tool-name",
      ],
    },
  ],
  [
    "a result that does not name its tool",
    [user("hi"), assistant([call("c")]), result("c", [], "")],
    { google: ["/2/toolName google/result-name"] },
  ],
  [
    "a blank block",
    [user([text("hi"), text(" ")])],
    { anthropic: ["/0/content/1/text anthropic/blank-text"] },
  ],
  [
    "an empty string",
    [user("")],
    { anthropic: ["/0/content anthropic/blank-text"], google: ["/0/content google/blank-text"] },
  ],
  [
    "no blocks",
    [user([])],
    {
      anthropic: ["/0/content anthropic/empty-message"],
      "openai-chat": ["/0/content openai-chat/empty-message"],
      "openai-responses": ["/0/content openai-responses/empty-message"],
      google: ["/0/content google/empty-message"],
    },
  ],
  [
    "half of a character",
    [user("\ud800")],
    {
      anthropic: ["/0/content anthropic/lone-surrogate"],
      "openai-chat": ["/0/content openai-chat/lone-surrogate"],
      "openai-responses": ["/0/content openai-responses/lone-surrogate"],
      google: ["/0/content google/lone-surrogate"],
    },
  ],
  [
    "unsigned thinking",
    [user("hi"), assistant([{ type: "thinking", thinking: "hm" }])],
    { anthropic: ["/1/content/0 anthropic/unsigned-thinking"] },
  ],
  [
    "thinking signed by Anthropic",
    [
      user("hi"),
      assistant([{ type: "thinking", thinking: "hm", thinkingSignature: "c2ln" }], {
        api: "anthropic-messages",
      }),
    ],
    {
      "openai-responses": ["/1/content/0/thinkingSignature openai-responses/foreign-signature"],
      google: ["/1/content/0/thinkingSignature google/foreign-signature"],
    },
  ],
  [
    "an image in a result",
    [user("hi"), assistant([call("c")]), result("c", [image("image/png")])],
    {
      "openai-chat": ["/2/content/0 openai-chat/media-place"],
    },
  ],
  [
    "an image from the assistant",
    [user("hi"), assistant([image("image/png")])],
    {
      anthropic: ["/1/content/0 anthropic/media-place"],
      "openai-chat": ["/1/content/0 openai-chat/media-place"],
      "openai-responses": ["/1/content/0 openai-responses/media-place"],
      ollama: ["/1/content/0 ollama/media-place"],
    },
  ],
  [
    "a tiff",
    [user([image("image/tiff")])],
    {
      anthropic: ["/0/content/0/mimeType anthropic/media-type"],
      "openai-chat": ["/0/content/0/mimeType openai-chat/media-type"],
      "openai-responses": ["/0/content/0/mimeType openai-responses/media-type"],
      google: ["/0/content/0/mimeType google/media-type"],
      ollama: ["/0/content/0/mimeType ollama/media-type"],
    },
  ],
  [
    "an image by URL",
    [user([{ type: "image", url: "https://example.com/a.png" }])],
    { ollama: ["/0/content/0/url ollama/media-url"] },
  ],
  [
    "a sound",
    [user([{ type: "audio", data: "AAAA", mimeType: "audio/wav" }])],
    {
      anthropic: ["/0/content/0 anthropic/media-place"],
      "openai-responses": ["/0/content/0 openai-responses/media-place"],
      ollama: ["/0/content/0 ollama/media-place"],
    },
  ],
  [
    "a file by URL",
    [user([{ type: "file", url: "https://example.com/a.pdf" }])],
    {
      "openai-chat": ["/0/content/0 openai-chat/media-type"],
      ollama: ["/0/content/0 ollama/media-place"],
    },
  ],
  [
    "a block that only Google knows",
    [user([text("hi"), { type: "opaque", dialect: "google", value: {} }])],
    {
      anthropic: ["/0/content/1 anthropic/unknown-block"],
      "openai-chat": ["/0/content/1 openai-chat/unknown-block"],
      "openai-responses": ["/0/content/1 openai-responses/unknown-block"],
      ollama: ["/0/content/1 ollama/unknown-block"],
    },
  ],
  ["an answer first", [assistant([text("hi")])], { google: ["/0 google/first-message"] }],
  ["two questions in a row", [user("a"), user("b")], { google: ["/1 google/alternation"] }],
  [
    "a question behind a result",
    [user("a"), assistant([call("c"), call("d")]), result("c"), result("d"), user("b")],
    { google: ["/4 google/alternation"] },
  ],
  [
    "a system message first, and one later",
    [
      { role: "system", content: "be brief", timestamp: 0 },
      user("a"),
      { role: "system", content: "be kind", timestamp: 0 },
    ],
    { anthropic: ["/2 anthropic/system-place"], google: ["/2 google/system-place"] },
  ],
];

describe.each(cases)("%s", (_, messages, expected) => {
  test.each(providers)("%s", async (provider) => {
    expect(await refused(messages, provider)).toEqual(expected[provider] ?? []);
  });
});
