import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageQueue, type QueueMode, run, type Tool } from "../../src/agent/index.js";
import {
  type AgentEvent,
  type AgentMessage,
  type AssistantContent,
  events,
  failureIn,
  isSilent,
  type UserMessage,
} from "../../src/core/index.js";
import { transcriptProblems } from "../fakes/agent-outline.js";
import { answer, type Step, scriptedModel } from "../fakes/scripted-model.js";

const user = (content: string): UserMessage => ({ role: "user", content, timestamp: 1 });

interface Spec {
  text: string;
  tools: string[];
  ending: "whole" | "length" | "refused" | "cut";
}

const spec: fc.Arbitrary<Spec> = fc.record({
  text: fc.string({ maxLength: 12 }),
  tools: fc.array(fc.constantFrom("ok", "slow", "throws", "alone", "nobody", "strict"), { maxLength: 4 }),
  ending: fc.oneof(
    { weight: 6, arbitrary: fc.constant("whole" as const) },
    { weight: 1, arbitrary: fc.constantFrom("length" as const, "refused" as const, "cut" as const) },
  ),
});

function tool(name: string, execute: Tool["execute"], rest: Partial<Tool> = {}): Tool {
  return { name, description: name, parameters: Type.Object({}), execute, ...rest };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

const tools: Tool[] = [
  tool("ok", async () => ({ content: "ok" })),
  tool("slow", async (_args, { update }) => {
    update({ content: "1" });
    await soon();
    update({ content: "2" });
    await soon();
    return { content: "slow" };
  }),
  tool("throws", () => Promise.reject(new Error("no"))),
  tool("alone", async () => ({ content: "alone" }), { sequential: true }),
  tool("strict", async () => ({ content: "never" }), { parameters: Type.Object({ path: Type.String() }) }),
];

function step({ text, tools: names, ending }: Spec, turn: number): Step {
  if (ending === "refused") return new Error("refused");
  const calls = names.map(
    (name, index): AssistantContent => ({
      type: "toolCall",
      id: `${turn}-${index}`,
      name,
      arguments: { n: index },
    }),
  );
  const content: AssistantContent[] = text === "" ? calls : [{ type: "text", text }, ...calls];
  const whole = answer(content, ending === "length" ? { stopReason: "length" } : {});
  if (ending !== "cut") return whole;
  return async function* () {
    const all = [...events(whole)];
    yield* all.slice(0, Math.ceil(all.length / 2));
    throw new Error("cut");
  };
}

const arrival = fc.record({
  at: fc.integer({ min: 1, max: 30 }),
  mode: fc.constantFrom<QueueMode>("steer", "followup", "collect", "interrupt"),
});

test("whatever a model and its tools do, and whenever it is stopped, the transcript is one that providers take", async () => {
  const seen = { runs: 0, stopped: 0, left: 0, open: 0, failed: 0, arrived: 0, interrupted: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(spec, { minLength: 1, maxLength: 4 }),
      fc.option(fc.record({ at: fc.integer({ min: 1, max: 60 }), leave: fc.boolean() })),
      fc.array(arrival, { maxLength: 3 }),
      async (specs, stop, arrivals) => {
        const stored: AgentMessage[] = [];
        const append = async (messages: readonly AgentMessage[]) => {
          stored.push(...messages);
          return messages;
        };
        const model = scriptedModel(specs.map(step));
        const queue = new MessageQueue();
        const controller = new AbortController();
        const list: AgentEvent[] = [];
        let askedWhenStopped: number | undefined;
        const options = { model, tools, append, queue, signal: controller.signal };
        for await (const event of run([user("Go")], options)) {
          list.push(event);
          for (const { at, mode } of arrivals) {
            if (at !== list.length) continue;
            queue.push(user(`${mode} ${at}`), mode);
            if (mode === "interrupt") askedWhenStopped ??= model.asked.length;
          }
          if (list.length !== stop?.at) continue;
          askedWhenStopped ??= model.asked.length;
          if (stop.leave) break;
          controller.abort();
        }
        expect(transcriptProblems(stored)).toEqual([]);
        expect(stored[0]).toEqual(user("Go"));
        if (askedWhenStopped !== undefined) expect(model.asked).toHaveLength(askedWhenStopped);
        const count = (type: AgentEvent["type"]) => list.filter((event) => event.type === type).length;
        const left = stop?.leave === true && list.length === stop.at && list.at(-1)?.type !== "agent_end";
        if (!left) {
          expect(list.at(-1)).toEqual({ type: "agent_end", messages: stored });
          expect(count("agent_end")).toBe(1);
          expect(count("message_start")).toBe(count("message_end"));
          expect(count("message_end")).toBe(stored.length);
          expect(count("tool_execution_start")).toBe(count("tool_execution_end"));
          expect(count("turn_start")).toBe(count("turn_end"));
        }
        // Nothing that arrived is lost: it was said, or it still waits.
        const waiting = queue.size;
        const arrived = arrivals.filter(({ at }) => at <= list.length).length;
        const said = stored.slice(1).flatMap((message) => {
          if (message.role !== "user") return [];
          return String(message.content).split("\n\n");
        });
        expect(said.length + waiting).toBe(arrived);

        seen.runs++;
        if (stop !== null && list.length > stop.at) seen.stopped++;
        if (left) seen.left++;
        if (JSON.stringify(stored).includes('"aborted"}],"isError":true')) seen.open++;
        if (stored.some((message) => isSilent(message) && failureIn(message) !== undefined)) seen.failed++;
        if (said.length > 0) seen.arrived++;
        if (waiting > 0) seen.interrupted++;
      },
    ),
    { numRuns: 600 },
  );
  expect(seen.runs).toBe(600);
  for (const [what, least] of Object.entries({
    stopped: 60,
    left: 60,
    open: 30,
    failed: 60,
    arrived: 60,
    interrupted: 60,
  })) {
    expect([what, seen[what as keyof typeof seen] >= least, seen]).toEqual([what, true, seen]);
  }
});
