import { expect, test } from "vitest";
import { emptyUsage } from "../core/message/usage.js";
import { markShown, type ShownContext } from "../core/shown/context.js";
import { showConversation } from "../core/shown/conversation.js";
import type { AgentMessage } from "../core/types.js";
import { connect } from "./connect.js";

const history: AgentMessage[] = [
  { role: "system", content: "Be brief.", timestamp: 1 },
  { role: "user", content: "1", timestamp: 1 },
  { role: "system", content: "Be kind.", timestamp: 1 },
  { role: "compaction", summary: "One was said.", firstKeptId: "3", tokensBefore: 9, timestamp: 2 },
  { role: "user", id: "3", content: "2", timestamp: 3 },
];

function shownOf(messages: readonly AgentMessage[]): ShownContext {
  const shown = showConversation({ messages });
  return { ...shown, messages: shown.messages.map(({ message }) => message) };
}

const model = connect("local/m", { baseUrl: "http://x.test" });

test("what was shown before makes the same request, and is not reported again", async () => {
  const { request } = await model.preview({ messages: history });
  expect(await model.preview(markShown(shownOf(history)))).toEqual({ request, losses: [] });
  expect(JSON.stringify(request)).toContain("One was said.");
});

test("a copy of it is checked like any other context", async () => {
  const context = markShown(shownOf(history));
  const messages = [...context.messages, JSON.parse('{"role":"user","content":7,"timestamp":1}')];
  await expect(model.preview({ ...context, messages })).rejects.toMatchObject({ code: "model/invalid" });
});

test("calls in the form of another API are noticed, though a log takes the message", async () => {
  const answer: AgentMessage = {
    role: "assistant",
    content: [],
    api: "a",
    provider: "p",
    model: "m",
    usage: emptyUsage(),
    stopReason: "toolUse",
    timestamp: 4,
  };
  const foreign = { ...answer, tool_calls: [{ id: "x", function: { name: "read" } }] };
  await expect(model.preview(markShown(shownOf([...history, foreign])))).rejects.toMatchObject({
    code: "clawtools/openai-tool-calls",
  });
});
