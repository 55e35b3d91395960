import { expect, test } from "vitest";
import type { SignaturePlace } from "../../core/api/provider.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantContent, AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { carryThinking, restoreThinking } from "./carried-thinking.js";

const onThinking: SignaturePlace = {
  block: "thinking",
  write: (block, thinkingSignature) => ({ ...block, thinkingSignature }),
  read: ({ thinkingSignature }) => thinkingSignature,
  list: "messages",
  replace: () => undefined,
};
const onCalls: SignaturePlace = {
  block: "toolCall",
  placeholder: "none",
  list: "messages",
  replace: () => undefined,
};

const model = { provider: "acme", id: "thinker" };
const call: AssistantContent = { type: "toolCall", id: "c1", name: "look", arguments: {} };

function answer(content: AssistantContent[]): AssistantMessage {
  return {
    role: "assistant",
    content,
    provider: "acme",
    model: "thinker",
    api: "acme-api",
    usage: emptyUsage(),
    stopReason: "toolUse",
    timestamp: 1,
  };
}

/** The answer as the client gets it, and sends it back: the gateway does not know which model wrote it. */
async function sentBack(content: AssistantContent[], place: SignaturePlace): Promise<AssistantMessage> {
  const events: LiveAssistantMessageEvent[] = [{ type: "done", reason: "toolUse", message: answer(content) }];
  const source = (async function* () {
    yield* events;
  })();
  for await (const event of carryThinking(source, place)) {
    if (event.type === "done") return { ...event.message, provider: "", model: "", api: "" };
  }
  throw new Error("no answer");
}

test("thinking returns with its signature and its model", async () => {
  const thinking: AssistantContent = { type: "thinking", thinking: "Hm.", thinkingSignature: "s1" };
  const back = await sentBack([thinking, call], onThinking);
  expect(back.content[0]).not.toMatchObject({ thinkingSignature: "s1" });
  expect(restoreThinking([back], onThinking, model)).toEqual([answer([thinking, call])]);
});

test("the signature of the call after it returns too", async () => {
  const content: AssistantContent[] = [
    { type: "thinking", thinking: "Hm." },
    { ...call, thoughtSignature: "s2" },
    { ...call, id: "c2" },
  ];
  const back = await sentBack(content, onThinking);
  const lossy = {
    ...back,
    content: [back.content[0], call, { ...call, id: "c2" }].filter((b) => b !== undefined),
  };
  expect(restoreThinking([lossy], onThinking, model)).toEqual([answer(content)]);
});

test("redacted thinking returns", async () => {
  const redacted: AssistantContent = {
    type: "thinking",
    thinking: "",
    redacted: true,
    thinkingSignature: "s3",
  };
  const back = await sentBack([redacted, call], onThinking);
  expect(restoreThinking([back], onThinking, model)).toEqual([answer([redacted, call])]);
});

test.each([
  ["leaves the thinking out", (content: AssistantContent[]) => content.slice(1)],
  ["sends the thinking too", (content: AssistantContent[]) => content],
])("a call brings its thinking back if the client %s", async (_, keep) => {
  const thinking: AssistantContent = { type: "thinking", thinking: "Hm.", thinkingSignature: "s1" };
  const back = await sentBack([thinking, call], onCalls);
  const kept = { ...back, content: keep(back.content) };
  expect(restoreThinking([kept], onCalls, model)).toEqual([answer([thinking, call])]);
});

test("a placeholder is not a signature", () => {
  const message = answer([{ ...call, thoughtSignature: "none" }]);
  expect(restoreThinking([message], onCalls, model)).toEqual([answer([call])]);
});

test("another model gets the text of the thinking, and none of its signatures", async () => {
  const thinking: AssistantContent = { type: "thinking", thinking: "Hm.", thinkingSignature: "s1" };
  const other = { provider: "acme", id: "another" };
  const onePlace = await sentBack([thinking, call], onThinking);
  expect(restoreThinking([onePlace], onThinking, other)).toEqual([
    { ...onePlace, content: [{ type: "thinking", thinking: "Hm." }, call] },
  ]);
  const otherPlace = await sentBack([{ type: "thinking", thinking: "Hm." }, call], onCalls);
  expect(restoreThinking([otherPlace], onCalls, other)).toEqual([
    { ...otherPlace, content: [{ type: "thinking", thinking: "Hm." }, call] },
  ]);
});

test.each(["", "EqQBCgIYAhIM", "{}", Buffer.from('["dragoman-1",{"origin":1}]').toString("base64")])(
  "a signature of another kind stays as it is: %j",
  (thinkingSignature) => {
    const message = answer([{ type: "thinking", thinking: "Hm.", thinkingSignature }]);
    expect(restoreThinking([message], onThinking, model)).toEqual([message]);
  },
);
