import { describe, expect, test } from "vitest";
import { sentMessages } from "../../../test/support/sent-messages.js";
import type { ApiRules } from "../../core/api/api-rules.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, Loss } from "../../core/types.js";
import type { Target } from "./target.js";

const rules: ApiRules = {
  toolId: { pattern: /^[a-z0-9]+$/, maxLength: 16, words: "" },
  toolName: { pattern: /^[a-z]+$/, maxLength: 16, words: "" },
  namesResults: false,
  text: "any",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "ignored",
  signatures: [],
  signs: ["text", "call"],
  media: {
    user: { image: ["image/png", "image/jpeg"], audio: ["audio/wav"] },
    assistant: {},
    toolResult: {},
  },
  urlSchemes: ["https", "http"],
  imageDetail: false,
  joinsTexts: false,
  trimsLastAnswer: false,
  alternates: false,
  systemFirst: false,
};
const target: Target = { dialect: "d", api: "a", provider: "p", model: "m", images: true, rules };

const answer: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "hm", thinkingSignature: "s" },
    { type: "thinking", thinking: "[withheld]", redacted: true, thinkingSignature: "r" },
    { type: "text", text: "x", textSignature: "t" },
    {
      type: "toolCall",
      id: "c1",
      name: "read",
      arguments: {},
      thoughtSignature: "g",
      ext: { d: { id: "fc_1" } },
    },
    { type: "opaque", dialect: "d", value: { type: "search" } },
  ],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 1,
};
const result: AgentMessage = {
  role: "toolResult",
  toolCallId: "c1",
  toolName: "read",
  content: [{ type: "text", text: "ok" }],
  isError: false,
  timestamp: 2,
};

function run(messages: AgentMessage[], to: Partial<Target> = {}) {
  const losses: Loss[] = [];
  const sent = sentMessages(messages, { ...target, ...to }, (loss) => losses.push(loss));
  return { sent, losses: losses.map(({ at, what, severity }) => `${severity} ${at} ${what}`) };
}

test("the model that said it gets all of it back", () => {
  expect(run([answer, result])).toEqual({ sent: [answer, result], losses: [] });
});

test("an API that knows no signature gets thinking as text, also that of the same model, signed or not", () => {
  const { sent, losses } = run([answer, result], { rules: { ...rules, isSignature: () => false } });
  expect(sent[0]?.content).toEqual([{ type: "text", text: "hm\n\n" }, ...answer.content.slice(2)]);
  expect(losses).toEqual([
    "approximated /messages/0/content/0 thinking",
    "dropped /messages/0/content/1 redacted thinking",
  ]);
});

describe("it is another model when", () => {
  test.each<[string, Partial<Target>]>([
    ["the model differs", { model: "other" }],
    ["the provider differs", { provider: "other" }],
    ["the API differs", { api: "other" }],
  ])("%s: it gets thinking as text, and no signatures, ids and items", (_, to) => {
    const { sent, losses } = run([answer, result], to);
    expect(sent[0]?.content).toEqual([
      { type: "text", text: "hm\n\n" },
      { type: "text", text: "x" },
      { type: "toolCall", id: "c1", name: "read", arguments: {}, ext: {} },
    ]);
    expect(losses).toEqual([
      "approximated /messages/0/content/0 thinking",
      "dropped /messages/0/content/1 redacted thinking",
      "dropped /messages/0/content/2/textSignature a signature",
      "dropped /messages/0/content/3/ext/d the fields of d",
      "dropped /messages/0/content/3/thoughtSignature a signature",
      "dropped /messages/0/content/4 an item of d",
    ]);
  });
});

test("withheld thinking without a signature is not sent as text", () => {
  const withheld: AgentMessage = {
    ...answer,
    content: [
      { type: "thinking", thinking: "[withheld]", redacted: true },
      { type: "text", text: "x" },
    ],
  };
  expect(run([withheld], { model: "other" })).toEqual({
    sent: [{ ...answer, content: [{ type: "text", text: "x" }] }],
    losses: ["dropped /messages/0/content/0 redacted thinking"],
  });
});

test.each(["error", "aborted"] as const)(
  "an answer that ended in %s is not sent, nor are its results",
  (stopReason) => {
    expect(run([{ ...answer, stopReason }, result])).toEqual({
      sent: [],
      losses: [
        `dropped /messages/0 an answer that ended in "${stopReason}"`,
        'dropped /messages/1 a result for "c1"',
      ],
    });
  },
);

test("a system message mid-conversation stays one where the API has it", () => {
  const user: AgentMessage = { role: "user", content: "Hi", timestamp: 4 };
  expect(run([user, { role: "system", content: "Be brief.", timestamp: 5 }])).toEqual({
    sent: [
      { role: "user", content: [{ type: "text", text: "Hi" }], timestamp: 4 },
      { role: "system", content: "Be brief.", timestamp: 5 },
    ],
    losses: [],
  });
});

test("audio that a user may send is replaced by a text in a result", () => {
  const audio = { type: "audio" as const, data: "AAAA", mimeType: "audio/wav" };
  const said: AgentMessage = { role: "user", content: [audio], timestamp: 0 };
  const call: AgentMessage = {
    ...answer,
    content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }],
  };
  const { sent, losses } = run([said, call, { ...result, content: [audio] }]);
  expect(sent.map(({ content }) => content)).toEqual([
    [audio],
    call.content,
    [{ type: "text", text: "[audio left out: this API does not accept it]" }],
  ]);
  expect(losses).toEqual(["dropped /messages/2/content/0 audio"]);
});
