import { describe, expect, test } from "vitest";
import { check } from "../../src/convert/check.js";
import { emptyUsage } from "../../src/core/message/usage.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "../../src/core/types.js";
import { type ApiName, apiNames } from "../../src/dialects/registry.js";
import { connect } from "../../src/providers/connect.js";

const user = (content: Extract<AgentMessage, { role: "user" }>["content"]): AgentMessage => ({
  role: "user",
  content,
  timestamp: 1,
});
const answer = (...content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 2,
});
const result = (toolCallId: string, toolName: string, ...content: ToolResultMessage["content"]) =>
  ({
    role: "toolResult",
    toolCallId,
    toolName,
    content,
    isError: false,
    timestamp: 3,
  }) satisfies AgentMessage;
const called = (id: string, name: string): AgentMessage[] => [
  user("hi"),
  answer({ type: "toolCall", id, name, arguments: {} }),
  result(id, name, { type: "text", text: "ok" }),
];

/** What `check --for` calls an error in these messages, or in the request that is built from them. */
async function refused(input: string, from: "openclaw" | ApiName, api: ApiName): Promise<string[]> {
  const { problems } = await check(input, { from, for: api });
  return problems.filter(({ code }) => code.startsWith(`${api}/`)).map(({ code }) => code);
}

function checked(messages: readonly AgentMessage[], api: ApiName): Promise<string[]> {
  return refused(messages.map((message) => JSON.stringify(message)).join("\n"), "openclaw", api);
}

function built(messages: readonly AgentMessage[], api: ApiName) {
  // Otherwise Gemini is sent no ids.
  const flags = { callIds: true };
  return connect("local/m", { api, flags, baseUrl: "http://127.0.0.1:9", apiKey: "k" }).preview({ messages });
}

/** What a request changes of a history. What it adds, such as the tools that Bedrock requires, is another matter. */
async function changes(messages: readonly AgentMessage[], api: ApiName) {
  const { losses } = await built(messages, api);
  return losses.filter(({ severity }) => severity !== "synthesised");
}

describe("check and request building know the same lengths", () => {
  test.each<[ApiName, "tool-id" | "tool-name", number]>([
    ["anthropic", "tool-id", 64],
    ["anthropic", "tool-name", 128],
    ["openai-chat", "tool-id", 40],
    ["openai-chat", "tool-name", 64],
    ["openai-responses", "tool-id", 64],
    ["openai-responses", "tool-name", 64],
    ["google", "tool-name", 64],
    ["bedrock", "tool-id", 64],
    ["bedrock", "tool-name", 64],
  ])("%s %s: %i", async (api, reason, longest) => {
    const history = (length: number) =>
      reason === "tool-id" ? called("c".repeat(length), "read") : called("c1", "n".repeat(length));
    expect(await checked(history(longest), api)).toEqual([]);
    expect(await changes(history(longest), api)).toEqual([]);
    expect(await checked(history(longest + 1), api)).toEqual([`${api}/${reason}`, `${api}/${reason}`]);
    expect(await changes(history(longest + 1), api)).toMatchObject([
      { at: `/messages/1/content/0/${reason === "tool-id" ? "id" : "name"}`, severity: "approximated" },
    ]);
  });
});

const text = (value: string) => ({ type: "text" as const, text: value });
/** The reasons that `histories` have for each API. */
const reasons: Record<ApiName, string[]> = {
  anthropic: [
    "blank-text",
    "empty-message",
    "foreign-signature",
    "lone-surrogate",
    "media-place",
    "media-type",
    "system-place",
    "tool-id",
    "tool-name",
    "unknown-block",
    "unsigned-thinking",
  ],
  "openai-chat": [
    "empty-message",
    "lone-surrogate",
    "media-place",
    "media-type",
    "tool-id",
    "tool-name",
    "unknown-block",
  ],
  "openai-responses": [
    "empty-message",
    "foreign-signature",
    "lone-surrogate",
    "media-place",
    "media-type",
    "tool-id",
    "tool-name",
    "unknown-block",
  ],
  google: [
    "alternation",
    "blank-text",
    "empty-message",
    "first-message",
    "foreign-signature",
    "lone-surrogate",
    "media-type",
    "result-name",
    "system-place",
    "tool-name",
    "unknown-block",
  ],
  ollama: ["media-place", "media-type", "media-url", "unknown-block"],
  bedrock: [
    "alternation",
    "blank-text",
    "empty-message",
    "first-message",
    "foreign-signature",
    "lone-surrogate",
    "media-place",
    "media-type",
    "media-url",
    "system-place",
    "tool-id",
    "tool-name",
    "unknown-block",
    "unsigned-thinking",
  ],
};
const histories: Record<string, AgentMessage[]> = {
  "an id and a name with other characters": called("a b", "a.b c"),
  "a result without a name": [...called("c", "read").slice(0, 2), result("c", "", text("ok"))],
  "blank texts": [user([text("hi"), text(" "), text("")]), answer(text("\n"), text("ok")), user("more")],
  "an empty message": [user("hi"), answer(), user([]), user("more")],
  "half of a character": [user("a\ud800b")],
  "unsigned thinking": [user("hi"), answer({ type: "thinking", thinking: "hm" }, text("ok")), user("more")],
  "a signature of another API": [
    user("hi"),
    answer({ type: "thinking", thinking: "hm", thinkingSignature: "c2ln" }, text("ok")),
    user("more"),
  ],
  "media in a result": [
    user("hi"),
    answer({ type: "toolCall", id: "c", name: "read", arguments: {} }),
    result(
      "c",
      "read",
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "file", data: "JVBERi0=", mimeType: "application/pdf" },
    ),
  ],
  "media of every type": [
    user(["image/tiff", "image/png"].map((mimeType) => ({ type: "image" as const, data: "AAAA", mimeType }))),
    user(["audio/ogg", "audio/wav"].map((mimeType) => ({ type: "audio" as const, data: "AAAA", mimeType }))),
    user(
      ["application/zip", "application/pdf", "text/markdown"].map((mimeType) => ({
        type: "file" as const,
        data: "AAAA",
        mimeType,
      })),
    ),
  ],
  "an image by address": [user([{ type: "image", url: "https://example.com/a.png" }])],
  "a file by address": [user([{ type: "file", url: "https://example.com/a.pdf" }])],
  "a block of another dialect": [user([text("hi"), { type: "opaque", dialect: "cline", value: {} }])],
  "an answer first, and two questions in a row": [answer(text("hi")), user("a"), user("b")],
  "a system message later": [user("a"), { role: "system", content: "be kind", timestamp: 1 }, user("b")],
};

describe("what check calls an error, no request has", () => {
  test.each(apiNames)("%s", async (api) => {
    const codes = new Set<string>();
    for (const [name, history] of Object.entries(histories)) {
      for (const code of await checked(history, api)) codes.add(code.slice(api.length + 1));
      const { request } = await built(history, api);
      expect({ name, refused: await refused(JSON.stringify(request), api, api) }).toEqual({
        name,
        refused: [],
      });
    }
    // So that nothing above holds because there was nothing to refuse.
    expect([...codes].sort()).toEqual(reasons[api]);
  });
});

test("a file in a result is sent where the API accepts it", async () => {
  const pdf = { type: "file" as const, data: "JVBERi0=", mimeType: "application/pdf" };
  const history = [...called("c", "read").slice(0, 2), result("c", "read", pdf)];
  for (const api of ["anthropic", "openai-responses", "google"] as const) {
    const { request, losses } = await built(history, api);
    expect({ losses, isSent: JSON.stringify(request).includes("JVBERi0=") }).toEqual({
      losses: [],
      isSent: true,
    });
  }
  for (const api of ["openai-chat", "ollama"] as const) {
    const { request, losses } = await built(history, api);
    expect(losses).toMatchObject([{ at: "/messages/2/content/0", what: "a file", severity: "dropped" }]);
    expect(JSON.stringify(request)).toContain("[file left out: this API does not accept it]");
  }
});

test("a type has parameters, and is the same type", async () => {
  const voice = { type: "audio" as const, data: "AAAA", mimeType: "audio/wav; codecs=1" };
  expect(await checked([user([voice])], "openai-chat")).toEqual(["openai-chat/media-type"]);
  expect(await checked([user([voice])], "google")).toEqual([]);
  const pdf = { type: "file" as const, data: "JVBERi0=", mimeType: "application/pdf; version=2" };
  expect(await checked([user([pdf])], "openai-chat")).toEqual([]);
});
