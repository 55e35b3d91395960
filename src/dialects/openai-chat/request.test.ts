import { describe, expect, test } from "vitest";
import type { Call, Context, Flags } from "../../core/api/provider.js";
import { emptyUsage } from "../../core/message/usage.js";
import type {
  AssistantContent,
  AssistantMessage,
  Loss,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { readRequest } from "./read-request.js";
import { request } from "./request.js";

const user = (content: UserMessage["content"]): UserMessage => ({ role: "user", content, timestamp: 1 });
const answer = (...content: AssistantContent[]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "openai-completions",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 1,
});
const result = (id: string, content: ToolResultMessage["content"], isError = false): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "f",
  content,
  isError,
  timestamp: 1,
});
const call = (id: string): AssistantContent => ({ type: "toolCall", id, name: "f", arguments: { x: 1 } });

function ask(context: Partial<Context>, options: Call["options"] = {}, flags: Flags = {}, model = "m") {
  const losses: Loss[] = [];
  const body = request(
    { model, context: { messages: [], ...context }, options, stream: false },
    flags,
    (loss) => losses.push(loss),
  );
  return { body, losses };
}

function messagesOf(...messages: Context["messages"]): unknown[] {
  const { body } = ask({ messages });
  return Array.isArray(body["messages"]) ? body["messages"] : [];
}

describe("messages", () => {
  test("a tool loop", () => {
    expect(
      messagesOf(
        user("Go."),
        answer({ type: "text", text: "On it." }, call("a"), call("b")),
        result("a", [
          { type: "text", text: "1" },
          { type: "text", text: "2" },
        ]),
        result("b", []),
      ),
    ).toEqual([
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: "On it.",
        tool_calls: [
          { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          { id: "b", type: "function", function: { name: "f", arguments: '{"x":1}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "1\n2" },
      { role: "tool", tool_call_id: "b", content: "(no output)" },
    ]);
  });

  test("a call and a result of old are of today once they have an id", () => {
    const old = {
      messages: [
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "ok" },
      ],
    };
    const [asked, told] = readRequest(old).context.messages;
    if (asked?.role !== "assistant" || told?.role !== "toolResult")
      throw new Error("not a call and a result");
    expect(messagesOf(asked, told)).toEqual(old.messages);
    const content = asked.content.map((block) => ({ ...block, id: "c1" }));
    expect(messagesOf({ ...asked, content }, { ...told, toolCallId: "c1" })).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "ok", name: "f" },
    ]);
  });

  test("a call whose fields stand in another order gets the id it is given", () => {
    const call = { function: { arguments: "{}", name: "f" }, type: "function", id: "" };
    const [asked] = readRequest({ messages: [{ role: "assistant", content: null, tool_calls: [call] }] })
      .context.messages;
    if (asked?.role !== "assistant") throw new Error("not a call");
    const content = asked.content.map((block) => ({ ...block, id: "c1" }));
    expect(messagesOf({ ...asked, content })).toMatchObject([{ tool_calls: [{ id: "c1" }] }]);
  });

  test("a name that the API refuses, and that came all the same, is the one that the call has", () => {
    const call = { id: "c", type: "function", function: { name: "a b", arguments: "{}" } };
    const [asked] = readRequest({ messages: [{ role: "assistant", content: null, tool_calls: [call] }] })
      .context.messages;
    if (asked?.role !== "assistant") throw new Error("not a call");
    expect(messagesOf(asked)).toMatchObject([{ tool_calls: [{ function: { name: "a b" } }] }]);
    const content = asked.content.map((block) => ({ ...block, name: "a c" }));
    expect(messagesOf({ ...asked, content })).toMatchObject([
      { tool_calls: [{ function: { name: "a c" } }] },
    ]);
  });

  test("arguments are spelled as they were, whatever the order of their keys", () => {
    const spelled = { "openai-chat": { arguments: '{"a":1, "b":[2]}' } };
    const called = (args: Record<string, unknown>) =>
      messagesOf(answer({ type: "toolCall", id: "c", name: "f", arguments: args, ext: spelled }));
    expect(called({ b: [2], a: 1 })).toMatchObject([
      { tool_calls: [{ function: { arguments: '{"a":1, "b":[2]}' } }] },
    ]);
    expect(called({ b: [3], a: 1 })).toMatchObject([
      { tool_calls: [{ function: { arguments: '{"b":[3],"a":1}' } }] },
    ]);
  });

  test("the images of results follow after the last result", () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    expect(
      messagesOf(
        answer(call("a"), call("b")),
        result("a", [image]),
        result("b", [{ type: "text", text: "x" }]),
        user("?"),
      ).slice(1),
    ).toEqual([
      { role: "tool", tool_call_id: "a", content: "(the images follow)" },
      { role: "tool", tool_call_id: "b", content: "x" },
      {
        role: "user",
        content: [
          { type: "text", text: "Images in the result of a:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
      { role: "user", content: "?" },
    ]);
  });
  test("that the images of results follow is reported", () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const messages = [answer(call("a")), result("a", [{ type: "text", text: "x" }, image])];
    expect(ask({ messages }).losses).toEqual([
      {
        at: "/messages/1/content/1",
        what: "the position of an image",
        why: "a result contains only text; the image is sent in a user message after the results",
        severity: "approximated",
      },
    ]);
  });

  test("an answer is a string, null beside calls alone, and never nothing", () => {
    expect(
      messagesOf(
        answer({ type: "text", text: "a" }, { type: "text", text: "b" }),
        answer(call("a")),
        answer(),
      ),
    ).toMatchObject([{ content: "ab" }, { content: null }, { content: "" }]);
  });

  test("thinking goes back in the field it came in, to the model that thought it", () => {
    const thought: AssistantContent = {
      type: "thinking",
      thinking: "t",
      ext: { "openai-chat": { field: "reasoning" } },
    };
    const plain: AssistantContent = { type: "thinking", thinking: "t" };
    const signed: AssistantContent = { type: "thinking", thinking: "t", thinkingSignature: "s" };
    const field = (block: AssistantContent, flags: Flags = {}, model = "m") =>
      ask({ messages: [answer(block)] }, {}, flags, model).body["messages"];
    expect(field(thought)).toEqual([{ role: "assistant", content: "", reasoning: "t" }]);
    expect(field(plain)).toEqual([{ role: "assistant", content: "", reasoning_content: "t" }]);
    expect(field(plain, { thinkingField: "reasoning_text" })).toEqual([
      { role: "assistant", content: "", reasoning_text: "t" },
    ]);
    expect(field(signed)).toEqual([
      {
        role: "assistant",
        content: "",
        reasoning_details: [{ type: "reasoning.text", text: "t", signature: "s" }],
      },
    ]);
    expect(field(thought, {}, "another")).toEqual([
      { role: "assistant", content: "", reasoning_content: "t" },
    ]);
  });

  test("what a server said beyond the API goes back to the same model only", () => {
    const noted: AssistantMessage = {
      ...answer({ type: "text", text: "x" }),
      ext: { "openai-chat": { id: "r", set: { "/annotations": [] } } },
    };
    expect(ask({ messages: [noted] }).body["messages"]).toEqual([
      { role: "assistant", content: "x", annotations: [] },
    ]);
    expect(ask({ messages: [noted] }, {}, {}, "another").body["messages"]).toEqual([
      { role: "assistant", content: "x" },
    ]);
  });

  test("senders are names where they can be", () => {
    expect(messagesOf({ ...user("a"), sender: "alice" }, { ...user("b"), sender: "Alice Smith" })).toEqual([
      { role: "user", content: "a", name: "alice" },
      { role: "user", content: "b" },
    ]);
  });

  test("what cannot be said is left out and reported", () => {
    const { body, losses } = ask({
      messages: [
        user([
          { type: "text", text: "a" },
          { type: "audio", url: "https://x.test/a.ogg" },
          { type: "opaque", dialect: "google", value: {} },
        ]),
        { role: "status", state: "busy", timestamp: 1 },
        answer({ type: "toolCall", id: "a", name: "weather.get", arguments: {} }),
        result("a", [{ type: "text", text: "x" }], true),
      ],
    });
    expect(body["messages"]).toMatchObject([
      { content: [{ type: "text", text: "a" }] },
      { tool_calls: [{ function: { name: "weather_get" } }] },
      { content: "x" },
    ]);
    expect(losses.map(({ at, severity }) => [at, severity])).toEqual([
      ["/messages/0/content/1", "dropped"],
      ["/messages/0/content/2", "dropped"],
      ["/messages/2/content/0/name", "approximated"],
      ["/messages/3/isError", "dropped"],
    ]);
  });
});

test("a part of a result that is no text is read", () => {
  const part = { toString: {} };
  const { context } = readRequest({ messages: [{ role: "tool", tool_call_id: "a", content: [part] }] });
  expect(context.messages).toMatchObject([
    { role: "toolResult", content: [{ type: "opaque", dialect: "openai-chat", value: part }] },
  ]);
});

describe("the rest of a request", () => {
  const tool = { name: "f", description: "F.", parameters: { type: "object" } };
  const written = {
    type: "function",
    function: { name: "f", description: "F.", parameters: { type: "object" } },
  };

  test("options, and fields we have no name for", () => {
    const options = {
      maxTokens: 9,
      temperature: 0,
      thinking: "off",
      toolChoice: "any",
      extra: { top_p: 1 },
    } as const;
    expect(ask({ systemPrompt: "S", messages: [user("x")], tools: [tool] }, options).body).toEqual({
      model: "m",
      messages: [
        { role: "system", content: "S" },
        { role: "user", content: "x" },
      ],
      tools: [written],
      tool_choice: "required",
      max_completion_tokens: 9,
      temperature: 0,
      reasoning_effort: "none",
      top_p: 1,
    });
  });

  test("servers differ", () => {
    const flags: Flags = {
      maxTokensField: "max_tokens",
      systemRole: "developer",
      store: false,
      strict: false,
    };
    expect(ask({ systemPrompt: "S", tools: [tool] }, { maxTokens: 9 }, flags).body).toEqual({
      model: "m",
      messages: [{ role: "developer", content: "S" }],
      tools: [{ type: "function", function: { ...written.function, strict: false } }],
      max_tokens: 9,
      store: false,
    });
  });

  test.each<[Flags, object]>([
    [{}, { stream: true, stream_options: { include_usage: true } }],
    [{ streamOptions: false }, { stream: true }],
  ])("a stream with %j", (flags, fields) => {
    const call = { model: "m", context: { messages: [] }, options: {}, stream: true };
    expect(request(call, flags, () => undefined)).toEqual({ model: "m", messages: [], ...fields });
  });

  test("a history with calls has tools, if none", () => {
    const messages = [answer(call("a")), result("a", [])];
    expect(ask({ messages }).body["tools"]).toEqual([]);
    expect(ask({ messages }, {}, { emptyTools: false }).body).not.toHaveProperty("tools");
    expect(ask({ messages: [user("x")] }).body).not.toHaveProperty("tools");
  });

  test("a choice of tools needs tools", () => {
    expect(ask({ messages: [user("x")] }, { toolChoice: "none" }).body).not.toHaveProperty("tool_choice");
    expect(ask({ tools: [tool] }, { toolChoice: { name: "f" } }).body["tool_choice"]).toEqual({
      type: "function",
      function: { name: "f" },
    });
  });

  test.each([
    [1024, "low"],
    [8192, "medium"],
    [8193, "high"],
  ])("a budget of %i tokens is the effort %s, and reported", (budgetTokens, effort) => {
    const { body, losses } = ask({}, { thinking: { budgetTokens } });
    expect(body["reasoning_effort"]).toBe(effort);
    expect(losses).toMatchObject([{ at: "/options/thinking", severity: "approximated" }]);
  });
});
