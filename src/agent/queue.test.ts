import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { brief } from "../../test/fakes/agent-outline.js";
import { calls, type Step, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import type { AgentEvent, UserMessage } from "../core/index.js";
import { MessageQueue, type QueueMode } from "./queue.js";
import { run } from "./run.js";
import type { Tool } from "./types.js";

function user(content: UserMessage["content"], rest: Partial<UserMessage> = {}): UserMessage {
  return { role: "user", content, timestamp: 1, ...rest };
}

const texts = (messages: readonly UserMessage[]) => messages.map(({ content }) => content);

describe("the queue", () => {
  test("steers by default, in the order of arrival", () => {
    const queue = new MessageQueue();
    queue.push(user("1"));
    queue.push(user("later"), "followup");
    queue.push(user("2"));
    expect(texts(queue.takeSteering())).toEqual(["1", "2"]);
    expect(queue.takeSteering()).toEqual([]);
    expect(queue.size).toBe(1);
  });

  test("follow-ups come one at a time, what is collected at once, and both in the order of arrival", () => {
    const queue = new MessageQueue();
    const list: [string, QueueMode][] = [
      ["f1", "followup"],
      ["c1", "collect"],
      ["f2", "followup"],
      ["c2", "collect"],
    ];
    for (const [text, mode] of list) queue.push(user(text), mode);
    expect(texts(queue.takePrompts())).toEqual(["f1"]);
    expect(texts(queue.takePrompts())).toEqual(["c1\n\nc2"]);
    expect(texts(queue.takePrompts())).toEqual(["f2"]);
    expect(queue.takePrompts()).toEqual([]);
  });

  test("joined messages keep what each had, and are joined only if one sender wrote them", () => {
    const queue = new MessageQueue();
    queue.push(user("a", { id: "1", sender: "ann", timestamp: 5 }), "collect");
    queue.push(user("b", { id: "2", sender: "bob", timestamp: 6 }), "collect");
    queue.push(user([{ type: "image", url: "u" }], { id: "3", sender: "ann", timestamp: 7 }), "collect");
    expect(queue.takePrompts()).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "image", url: "u" },
        ],
        id: "1",
        sender: "ann",
        timestamp: 5,
        ext: {
          collected: [
            { role: "user", id: "1", sender: "ann", timestamp: 5 },
            { role: "user", id: "3", sender: "ann", timestamp: 7 },
          ],
        },
      },
    ]);
    expect(queue.takePrompts()).toEqual([user("b", { id: "2", sender: "bob", timestamp: 6 })]);
  });

  test("what interrupts comes before what waits", () => {
    const queue = new MessageQueue();
    let interrupts = 0;
    const stop = queue.onInterrupt(() => interrupts++);
    queue.push(user("wait"), "followup");
    queue.push(user("stop!"), "interrupt");
    expect(interrupts).toBe(1);
    stop();
    queue.push(user("stop!!"), "interrupt");
    expect(interrupts).toBe(1);
    expect(texts(queue.takePrompts())).toEqual(["stop!", "stop!!"]);
    expect(texts(queue.takePrompts())).toEqual(["wait"]);
  });
});

describe("a run and its queue", () => {
  const act: Tool = {
    name: "act",
    description: "Acts",
    parameters: Type.Object({}),
    execute: async () => ({ content: "acted" }),
  };

  /** Runs, and pushes while the first tool runs. */
  async function runWith(steps: Step[], pushed: [string, QueueMode?][]) {
    const queue = new MessageQueue();
    const model = scriptedModel(steps);
    const list: AgentEvent[] = [];
    for await (const event of run([user("Go")], { model, tools: [act], queue })) {
      if (event.type === "tool_execution_start")
        for (const [text, mode] of pushed) queue.push(user(text), mode);
      list.push(event);
    }
    const last = list.at(-1);
    return { queue, model, transcript: brief(last?.type === "agent_end" ? last.messages : []) };
  }

  test("steering comes after the tool results, a follow-up when the run would stop", async () => {
    const steps = [calls(["a", "act"]), says("One."), says("Two.")];
    const { transcript, model } = await runWith(steps, [["and then", "followup"], ["rather this"]]);
    expect(transcript).toEqual([
      "user: Go",
      "assistant toolUse: a",
      "result a: acted",
      "user: rather this",
      "assistant stop: One.",
      "user: and then",
      "assistant stop: Two.",
    ]);
    expect(model.asked.map(({ messages }) => messages.length)).toEqual([1, 4, 6]);
  });

  test("an interrupt aborts, and the message is left for the next run", async () => {
    const { transcript, queue, model } = await runWith(
      [calls(["a", "act"]), says("Never.")],
      [["stop", "interrupt"]],
    );
    expect(transcript).toEqual(["user: Go", "assistant toolUse: a", "failed a: aborted"]);
    expect(model.asked).toHaveLength(1);
    expect(texts(queue.takePrompts())).toEqual(["stop"]);
  });

  test("at the limit of turns what waits keeps waiting", async () => {
    const queue = new MessageQueue();
    queue.push(user("more"), "followup");
    const model = scriptedModel([says("One.")]);
    const types: string[] = [];
    for await (const event of run([user("Go")], { model, queue, maxTurns: 1 })) types.push(event.type);
    expect(types.at(-1)).toBe("agent_end");
    expect(queue.size).toBe(1);
  });
});
