import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage } from "../../core/types.js";
import { Runtime } from "../../runtime/runtime.js";
import { taskOf } from "./task.js";

const prompt: AgentMessage = { role: "user", id: "m1", content: "Go", timestamp: 1 };
const calling: AgentMessage = {
  role: "assistant",
  id: "m2",
  content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }],
  api: "demo",
  provider: "demo",
  model: "echo",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 2,
};

test.each([
  ["is being resumed", true, "TASK_STATE_WORKING"],
  ["was stopped", false, "TASK_STATE_CANCELED"],
])("a task whose last turn called a tool, and that %s", async (_, isDue, state) => {
  const runtime = new Runtime({ home: temporaryFolder(), config: { model: "demo/echo" } });
  const conversation = await runtime.begin({});
  await conversation.session.append([prompt, calling]);
  const task = await taskOf({ conversation, isDue: async () => isDue }, "m1");
  expect(task?.status.state).toBe(state);
  await runtime.close();
});
