import { expect, test } from "vitest";
import { emptyUsage } from "../core/message/usage.js";
import type { AgentMessage, AssistantMessage } from "../core/types.js";
import { MemoryLog } from "./memory/memory-log.js";
import { closeOpenCalls } from "./recover.js";

const asks: AssistantMessage = {
  role: "assistant",
  content: ["x", "y"].map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 1,
};
const answers = (toolCallId: string): AgentMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [],
  isError: false,
  timestamp: 2,
});

test.each([0, 31, 32, 33, 100])(
  "a result is found behind %i other messages, and only what has none is closed",
  async (between) => {
    const session = await new MemoryLog().create({ agent: "main" });
    const others = Array.from(
      { length: between },
      (): AgentMessage => ({ role: "user", content: "hm", timestamp: 1 }),
    );
    await session.append([asks, ...others, answers("x"), ...others]);
    const closed = await closeOpenCalls(session, () => 5);
    expect(closed).toMatchObject([{ toolCallId: "y", isError: true, timestamp: 5 }]);
    expect((await session.last(1))[0]?.message).toEqual(closed[0]);
    expect(await closeOpenCalls(session, () => 6)).toEqual([]);
  },
);
