import { expect, test } from "vitest";
import type { OwnCalls } from "../../core/api/provider.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent, ToolCall } from "../../core/types.js";
import { withOwnCalls } from "./own-calls.js";

const call = (name: string): ToolCall => ({ type: "toolCall", id: name, name, arguments: {} });
const partial: AssistantMessage = {
  role: "assistant",
  content: [call("own"), call("plain")],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 1,
};
const own: OwnCalls = {
  has: (name) => name === "own",
  write: ({ name }) => (name === "own" ? { type: "opaque", dialect: "d", value: { name } } : undefined),
};

async function seen(...events: LiveAssistantMessageEvent[]): Promise<string[]> {
  const source = async function* () {
    yield* events;
  };
  const list: string[] = [];
  for await (const event of withOwnCalls(source(), own)) {
    const { content } = event.type === "done" ? event.message : { content: [] };
    list.push([event.type, ...content.map(({ type }) => type)].join(" "));
  }
  return list;
}

const eventsOf = (contentIndex: number, name: string, announced: string | undefined) =>
  [
    {
      type: "toolcall_start",
      contentIndex,
      partial,
      ...(announced === undefined ? {} : { name: announced }),
    },
    { type: "toolcall_delta", contentIndex, delta: "{}", partial },
    { type: "toolcall_end", contentIndex, toolCall: call(name), partial },
  ] satisfies LiveAssistantMessageEvent[];

test("a call of the client's own tool is one block, and others stream", async () => {
  expect(
    await seen(...eventsOf(0, "own", "own"), ...eventsOf(1, "plain", "plain"), {
      type: "done",
      reason: "toolUse",
      message: partial,
    }),
  ).toEqual(["block_end", "toolcall_start", "toolcall_delta", "toolcall_end", "done opaque toolCall"]);
});

test("a call whose tool is named late is told apart at its end", async () => {
  expect(await seen(...eventsOf(0, "own", undefined), ...eventsOf(1, "plain", undefined))).toEqual([
    "block_end",
    "toolcall_start",
    "toolcall_delta",
    "toolcall_end",
  ]);
});
