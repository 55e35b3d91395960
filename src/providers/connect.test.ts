import { expect, test } from "vitest";
import type { AgentMessage } from "../core/types.js";
import { emptyUsage } from "../core/usage.js";
import { connect } from "./connect.js";

const answer = (...ids: string[]): AgentMessage => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 2,
});
const failed = (toolCallId: string): AgentMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "no" }],
  isError: true,
  timestamp: 3,
});

test("what an API cannot say is reported of the message in the context, not of the one that is sent", async () => {
  const model = connect("local/m", { api: "openai-chat", baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const { losses } = await model.preview({
    messages: [{ role: "status", state: "busy", timestamp: 0 }, answer("c1"), answer("c2"), failed("c2")],
  });
  expect(losses.map(({ at, what }) => `${at} ${what}`)).toEqual([
    '/messages/1 a result for the call "c1"',
    "/messages/1/isError that the tool failed",
    "/messages/3/isError that the tool failed",
  ]);
});
