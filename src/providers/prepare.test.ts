import { describe, expect, test } from "vitest";
import { emptyUsage } from "../core/message/usage.js";
import type { AgentMessage, AssistantMessage } from "../core/types.js";
import type { ApiName } from "../dialects/registry.js";
import { type ConnectOptions, connect } from "./connect.js";

const apis: readonly ApiName[] = ["anthropic", "openai-chat", "openai-responses", "google", "ollama"];

function model(api: ApiName, options: ConnectOptions = {}, id = "m") {
  return connect(`local/${id}`, { api, baseUrl: "http://x.test", apiKey: "k", ...options });
}

const user = (content: string): AgentMessage => ({
  role: "user",
  content,
  timestamp: 1,
});

const claude = (content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 2,
});

describe("thinking of another model", () => {
  const answer = claude([
    { type: "thinking", thinking: "I need the file.", thinkingSignature: "sig" },
    { type: "thinking", thinking: "", thinkingSignature: "data", redacted: true },
    { type: "text", text: "Let me read it." },
    { type: "text", text: "Now." },
  ]);
  const blocks = [
    { type: "text", text: "I need the file.\n\n" },
    { type: "text", text: "Let me read it." },
    { type: "text", text: "Now." },
  ];
  const joined = { role: "assistant", content: "I need the file.\n\nLet me read it.\nNow." };
  const sent: Record<ApiName, [field: string, expected: unknown]> = {
    anthropic: ["messages", { role: "assistant", content: blocks }],
    "openai-chat": ["messages", joined],
    "openai-responses": ["input", { role: "assistant", content: "Now." }],
    google: ["contents", { role: "model", parts: blocks.map(({ text }) => ({ text })) }],
    ollama: ["messages", joined],
    bedrock: ["messages", { role: "assistant", content: blocks.map(({ text }) => ({ text })) }],
  };
  test.each(apis)(
    "%s: is sent as text, apart from the answer; redacted thinking is left out",
    async (api) => {
      const [field, expected] = sent[api];
      const { request, losses } = await model(api).preview(
        { messages: [user("Go"), answer, user("And?")] },
        { cache: false },
      );
      const list = request[field];
      expect(list).toContainEqual(expected);
      expect(JSON.stringify(list)).toContain("I need the file.\\n\\n");
      expect(losses).toEqual([
        {
          at: "/messages/1/content/0",
          what: "thinking",
          why: "another model wrote it; it is sent as text",
          severity: "approximated",
        },
        {
          at: "/messages/1/content/1",
          what: "redacted thinking",
          why: "only the model that wrote it can read it",
          severity: "dropped",
        },
      ]);
    },
  );
});

describe("thinking that a client sent back", () => {
  const nameless = { ...claude([]), api: "", provider: "", model: "" };
  const call = { type: "toolCall" as const, id: "c1", name: "look", arguments: {} };
  const result: AgentMessage = {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "look",
    content: [{ type: "text", text: "ok" }],
    isError: false,
    timestamp: 3,
  };
  const thinking = { type: "thinking" as const, thinking: "I need the file." };

  test("stays thinking for servers that refuse calls without it", async () => {
    const messages = [user("Go"), { ...nameless, content: [thinking, call] }, result];
    const flags = { thinkingField: "reasoning_content" as const };
    const { request, losses } = await model("openai-chat", { flags }).preview({ messages });
    expect(request["messages"]).toContainEqual(
      expect.objectContaining({ role: "assistant", content: null, reasoning_content: "I need the file." }),
    );
    expect(losses).toEqual([]);
  });

  test("is text for a server that may refuse the field, as OpenAI does", async () => {
    const messages = [user("Go"), { ...nameless, content: [thinking, call] }, result];
    const { request, losses } = await model("openai-chat").preview({ messages });
    expect(request["messages"]).toContainEqual(
      expect.objectContaining({ role: "assistant", content: "I need the file." }),
    );
    expect(losses).toMatchObject([{ at: "/messages/1/content/0", severity: "approximated" }]);
  });

  test.each([
    ["claude-opus-4-6", undefined],
    ["claude-opus-4-8", { type: "adaptive" }],
  ])("without a signature in a tool loop, %s is asked for thinking %j", async (id, expected) => {
    const messages = [user("Go"), { ...nameless, content: [call] }, result];
    const { request, losses } = await model("anthropic", {}, id).preview({ messages }, { thinking: "high" });
    expect(request["thinking"]).toEqual(expected);
    const lost = losses.filter(({ at }) => at === "/options/thinking").map(({ severity }) => severity);
    expect(lost).toEqual(expected === undefined ? ["dropped"] : []);
  });

  test("with a signature in a tool loop, Claude thinks", async () => {
    const signed = { ...thinking, thinkingSignature: "sig" };
    const answer = { ...claude([signed, call]), provider: "local" };
    const { request } = await model("anthropic", {}, "claude-opus-4-6").preview(
      { messages: [user("Go"), answer, result] },
      { thinking: "high" },
    );
    expect(request["thinking"]).toEqual({ type: "enabled", budget_tokens: 16384 });
  });
});

describe("images", () => {
  const PNG = "iVBORw0KGgoAAAANSUhEUgAA";
  const seen = (data: string, mimeType: string): AgentMessage => ({
    role: "user",
    content: [
      { type: "image", data, mimeType },
      { type: "text", text: "?" },
    ],
    timestamp: 1,
  });

  test.each<[string, string, string, string, unknown]>([
    [
      "data that is not base64",
      "iVBORw0KGgo...",
      "image/png",
      "[image left out: its data is not base64]",
      { at: "/messages/0/content/0", severity: "dropped" },
    ],
    [
      "a type that the API refuses",
      "Qk0aAAAA",
      "image/bmp",
      "[image left out: this API accepts image/png, image/jpeg, image/gif, image/webp, not image/bmp]",
      { at: "/messages/0/content/0", severity: "dropped" },
    ],
  ])("%s is replaced by a text", async (_, data, mimeType, text, loss) => {
    const { request, losses } = await model("anthropic").preview(
      { messages: [seen(data, mimeType)] },
      { cache: false },
    );
    expect(request["messages"]).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text },
          { type: "text", text: "?" },
        ],
      },
    ]);
    expect(losses).toMatchObject([loss]);
  });

  test("a wrong type is corrected", async () => {
    const { request, losses } = await model("anthropic").preview({ messages: [seen(PNG, "image/jpeg")] });
    const source = { type: "base64", media_type: "image/png", data: PNG };
    expect(request["messages"]).toMatchObject([{ content: [{ type: "image", source }, {}] }]);
    expect(losses).toEqual([
      {
        at: "/messages/0/content/0/mimeType",
        what: 'the mime type "image/jpeg"',
        why: "the bytes are image/png, which is sent instead",
        severity: "approximated",
      },
    ]);
  });

  test("image/jpg, which bytes cannot tell, is sent by its right name", async () => {
    const { request, losses } = await model("anthropic").preview({ messages: [seen("AAAA", "image/jpg")] });
    const source = { type: "base64", media_type: "image/jpeg", data: "AAAA" };
    expect(request["messages"]).toMatchObject([{ content: [{ type: "image", source }, {}] }]);
    expect(losses).toMatchObject([{ what: 'the mime type "image/jpg"', severity: "approximated" }]);
  });

  test("a picture in a data URL is checked like any other", async () => {
    const image = (url: string): AgentMessage => ({
      role: "user",
      content: [{ type: "image", url }],
      timestamp: 1,
    });
    const { request, losses } = await model("anthropic").preview(
      {
        messages: [image(`data:image/jpeg;base64,${PNG}`), image("data:image/svg+xml,<svg/>")],
      },
      { cache: false },
    );
    expect(request["messages"]).toEqual([
      {
        role: "user",
        content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }],
      },
      { role: "user", content: [{ type: "text", text: "[image left out: its data is not base64]" }] },
    ]);
    expect(losses).toMatchObject([
      { at: "/messages/0/content/0/url", what: 'the mime type "image/jpeg"', severity: "approximated" },
      { at: "/messages/1/content/0", what: "an image", severity: "dropped" },
    ]);
  });

  test("line breaks in base64 are taken out, and are no loss", async () => {
    const broken = `${PNG.slice(0, 12)}\r\n${PNG.slice(12)}\n`;
    const { request, losses } = await model("anthropic").preview({ messages: [seen(broken, "image/png")] });
    const source = { type: "base64", media_type: "image/png", data: PNG };
    expect(request["messages"]).toMatchObject([{ content: [{ type: "image", source }, {}] }]);
    expect(losses).toEqual([]);
  });

  test("a message of a sound or file that the API refuses says so", async () => {
    const voice = { type: "audio" as const, data: "T2dnUw==", mimeType: "audio/ogg" };
    const sheet = { type: "file" as const, data: "AAAA", mimeType: "application/vnd.ms-excel" };
    const chat = await model("openai-chat").preview({
      messages: [{ role: "user", content: [voice], timestamp: 1 }],
    });
    expect(chat.request["messages"]).toEqual([
      {
        role: "user",
        content: "[audio left out: Chat Completions accepts audio only as WAV or MP3 bytes]",
      },
    ]);
    expect(chat.losses).toEqual([
      {
        at: "/messages/0/content/0",
        what: "audio",
        why: "Chat Completions accepts audio only as WAV or MP3 bytes; a text is sent in its place",
        severity: "dropped",
      },
    ]);
    const claude = await model("anthropic").preview(
      { messages: [{ role: "user", content: [sheet], timestamp: 1 }] },
      { cache: false },
    );
    const text = "[file left out: this API accepts only PDF and text files]";
    expect(claude.request["messages"]).toEqual([{ role: "user", content: [{ type: "text", text }] }]);
  });

  test("a file whose data is not base64 is replaced too", async () => {
    const file = { type: "file" as const, data: "%", mimeType: "application/pdf" };
    const { losses } = await model("anthropic").preview({
      messages: [{ role: "user", content: [file, { type: "text", text: "?" }], timestamp: 1 }],
    });
    expect(losses.map(({ at, what, severity }) => `${severity} ${at} ${what}`)).toEqual([
      "dropped /messages/0/content/0 a file",
    ]);
  });

  const url = "https://x.test/a.png";
  test.each<[ApiName, unknown]>([
    ["openai-chat", { type: "image_url", image_url: { url, detail: "low" } }],
    ["openai-responses", { type: "input_image", image_url: url, detail: "low" }],
  ])("%s is told how closely to look", async (api, part) => {
    const image = { type: "image_url", image_url: { url, detail: "low" } };
    const { request, losses } = await model(api).preview({
      messages: [{ role: "user", content: [image, { type: "text", text: "?" }] }],
    });
    expect(request[api === "openai-chat" ? "messages" : "input"]).toMatchObject([{ content: [part, {}] }]);
    expect(losses).toEqual([]);
  });

  test.each<ApiName>(["anthropic", "google"])("%s cannot be told, which is reported", async (api) => {
    const image = { type: "image_url", image_url: { url, detail: "low" } };
    const { losses } = await model(api).preview({ messages: [{ role: "user", content: [image] }] });
    expect(losses).toMatchObject([
      {
        at: "/messages/0/content/0/detail",
        what: 'the image detail "low"',
        why: "this API has no field for it",
        severity: "dropped",
      },
    ]);
  });
});

describe("the limits of a model", () => {
  const asked = { messages: [user("Hi")] };
  test("Anthropic is asked for the longest answer of the catalogue, or of the card", async () => {
    const sent = async (id: string, options: ConnectOptions = {}) =>
      (await connect(`anthropic/${id}`, { apiKey: "k", ...options }).preview(asked)).request["max_tokens"];
    expect(await sent("claude-sonnet-4-5")).toBe(64_000);
    expect(await sent("claude-opus-4-1")).toBe(32_000);
    expect(await sent("claude-opus-4-1", { card: { maxOutput: 9000 } })).toBe(9000);
  });

  test("Ollama is told the window that is known, unless the caller says another", async () => {
    const sent = async (card: ConnectOptions["card"], extra = {}) =>
      (await model("ollama", card === undefined ? {} : { card }).preview(asked, { extra })).request[
        "options"
      ];
    expect(await sent({ contextWindow: 32_768 })).toEqual({ num_ctx: 32_768 });
    expect(await sent({ contextWindow: 32_768 }, { options: { num_ctx: 4096 } })).toEqual({ num_ctx: 4096 });
    expect(await sent(undefined)).toBeUndefined();
  });
});

describe("what is in the ledger", () => {
  test("a last answer that ends in blanks is trimmed for Anthropic", async () => {
    const messages = [user("Hi"), claude([{ type: "text", text: "Sure: \n" }])];
    const { request, losses } = await connect("anthropic/claude-opus-4-6", { apiKey: "k" }).preview(
      { messages },
      { cache: false },
    );
    expect(request["messages"]).toMatchObject([{}, { content: [{ type: "text", text: "Sure:" }] }]);
    expect(losses).toEqual([
      {
        at: "/messages/1/content/0/text",
        what: "white space at the end of the last answer",
        why: "this API refuses it",
        severity: "approximated",
      },
    ]);
  });

  test("signatures that Anthropic has no place for are reported, also for the model that has them", async () => {
    const messages = [
      user("Hi"),
      claude([
        { type: "text", text: "x", textSignature: "t" },
        { type: "toolCall", id: "c", name: "read", arguments: {}, thoughtSignature: "g" },
      ]),
      user("And?"),
    ];
    const { losses } = await connect("anthropic/claude-opus-4-6", { apiKey: "k" }).preview({ messages });
    expect(losses.map(({ at, why }) => `${at}: ${why}`)).toEqual([
      "/messages/1/content/0/textSignature: this API has no field for it",
      "/messages/1/content/1/thoughtSignature: this API has no field for it",
      "/messages/1: the conversation has none, and providers refuse a call without a result",
    ]);
  });

  test("a tool id that Google is not sent is not reported as replaced", async () => {
    const id = `call ${"x".repeat(200)}`;
    const messages: AgentMessage[] = [
      user("Hi"),
      claude([{ type: "toolCall", id, name: "read", arguments: {} }]),
      { role: "toolResult", toolCallId: id, toolName: "read", content: [], isError: false, timestamp: 3 },
    ];
    const ids = async (callIds: boolean) => {
      const { losses } = await model("google", { flags: { callIds } }).preview({ messages });
      return losses.filter(({ at }) => at.endsWith("/id")).length;
    };
    expect(await ids(false)).toBe(0);
    expect(await ids(true)).toBe(1);
  });
});

describe("an abort before the first byte", () => {
  test.each<[string, boolean]>([
    ["while the provider is silent", false],
    ["before the call", true],
  ])("%s is the terminal event, as for a connector", async (_, isEarly) => {
    const controller = new AbortController();
    if (isEarly) controller.abort();
    const kinds = async (name: string) => {
      const fetch: ConnectOptions["fetch"] = (_url, { signal }) =>
        new Promise((_resolve, reject) => {
          if (signal?.aborted === true) reject(signal.reason);
          signal?.addEventListener("abort", () => reject(signal.reason));
          queueMicrotask(() => controller.abort());
        });
      const seen: string[] = [];
      const asked = connect(name, { apiKey: "k", fetch }).stream(
        { messages: [user("stall")] },
        { signal: controller.signal },
      );
      if (name.startsWith("demo")) queueMicrotask(() => controller.abort());
      for await (const event of asked) {
        seen.push(event.type === "error" ? `error ${event.reason} ${event.error.stopReason}` : event.type);
      }
      return seen;
    };
    expect(await kinds("anthropic/claude-opus-4-6")).toEqual(["start", "error aborted aborted"]);
    expect(await kinds("openai/gpt-5.5")).toEqual(["start", "error aborted aborted"]);
    expect(await kinds("google/gemini-2.5-flash")).toEqual(["start", "error aborted aborted"]);
    expect(await kinds("ollama/qwen3:8b")).toEqual(["start", "error aborted aborted"]);
    expect(await kinds("demo/script")).toEqual(["start", "error aborted aborted"]);
  });
});
