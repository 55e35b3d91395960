import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { brief, outline, transcriptProblems } from "../../test/fakes/agent-outline.js";
import { answer, calls, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import type { AgentEvent, AgentMessage } from "../core/index.js";
import { run } from "./run.js";
import type { Append, Tool } from "./types.js";

const hello: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };

function tool(name: string, rest: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: Type.Object({}),
    execute: async (_args, { update, toolCallId }) => {
      update({ content: "half" });
      await new Promise((resolve) => setImmediate(resolve));
      return { content: `${toolCallId} done` };
    },
    ...rest,
  };
}

const tools = [tool("beside"), tool("alone", { sequential: true })];

/** Several turns: text, thinking, calls side by side, sequential ones, one that nobody knows. */
const script = () => [
  answer([
    { type: "thinking", thinking: "Hm. I should look." },
    { type: "text", text: "I will look at it." },
    { type: "toolCall", id: "a", name: "beside", arguments: { long: "argument of it" } },
    { type: "toolCall", id: "b", name: "beside", arguments: {} },
    { type: "toolCall", id: "c", name: "nobody", arguments: {} },
  ]),
  calls(["d", "alone"], ["e", "beside"], ["f", "beside"], ["g", "alone"]),
  says("That is all there is."),
];

function recorder() {
  const stored: AgentMessage[] = [];
  const append: Append = async (messages) => {
    stored.push(...messages);
    return messages;
  };
  return { stored, append };
}

/** Runs, and stops at an event, by the signal or by leaving. */
async function stopAt(stop: number, how: "abort" | "leave") {
  const controller = new AbortController();
  const model = scriptedModel(script());
  const { stored, append } = recorder();
  const list: AgentEvent[] = [];
  let asked = 0;
  for await (const event of run([hello], { model, tools, append, signal: controller.signal })) {
    if (list.push(event) !== stop) continue;
    asked = model.asked.length;
    if (how === "leave") break;
    controller.abort();
  }
  return { stored, list, asked, model };
}

describe("stopped at any event", () => {
  test.each(["abort", "leave"] as const)(
    "by %s, every call has its result, and nothing more is asked",
    async (how) => {
      const { length } = (await stopAt(-1, how)).list;
      expect(length).toBeGreaterThan(90);
      const seen = { aborted: 0, half: 0, whole: 0 };
      for (let stop = 1; stop <= length; stop++) {
        const { stored, list, asked, model } = await stopAt(stop, how);
        expect(transcriptProblems(stored), `at ${stop}`).toEqual([]);
        expect(stored[0]).toEqual(hello);
        if (stop < length) expect(model.asked).toHaveLength(asked);
        if (how === "abort") {
          expect(list.at(-1)).toMatchObject({ type: "agent_end", messages: stored });
          expect(list.filter(({ type }) => type === "agent_end")).toHaveLength(1);
          const turns = list.filter(({ type }) => type === "turn_start").length;
          expect(list.filter(({ type }) => type === "turn_end")).toHaveLength(turns);
          const started = list.filter(({ type }) => type === "message_start").length;
          expect(list.filter(({ type }) => type === "message_end")).toHaveLength(started);
          const running = list.filter(({ type }) => type === "tool_execution_start").length;
          expect(list.filter(({ type }) => type === "tool_execution_end")).toHaveLength(running);
        } else {
          expect(list).toHaveLength(stop);
        }
        const lines = brief(stored);
        if (lines.some((line) => line.startsWith("failed") && line.endsWith("aborted"))) seen.aborted++;
        if (lines.some((line) => line.startsWith("assistant aborted"))) seen.half++;
        if (lines.at(-1) === "assistant stop: That is all there is.") seen.whole++;
      }
      expect(seen.aborted).toBeGreaterThan(20);
      expect(seen.half).toBeGreaterThan(20);
      expect(seen.whole).toBeGreaterThan(0);
    },
  );

  test("a call whose arguments were arriving is kept, marked and answered", async () => {
    const controller = new AbortController();
    const model = scriptedModel([calls(["a", "beside", { text: "a long argument" }])]);
    const { stored, append } = recorder();
    let deltas = 0;
    for await (const event of run([hello], { model, tools, append, signal: controller.signal })) {
      if (event.type !== "message_update" || event.assistantMessageEvent.type !== "toolcall_delta") continue;
      if (++deltas === 4) controller.abort();
    }
    expect(stored[1]).toMatchObject({
      stopReason: "aborted",
      content: [{ id: "a", arguments: { text: "a long " }, argumentsError: "the arguments were cut off" }],
    });
    expect(JSON.parse(JSON.stringify(stored[1]))).toEqual(stored[1]);
    expect(brief(stored)[2]).toBe("failed a: aborted");
  });
});

describe("what does not stop by itself", () => {
  test("a tool that never settles does not hold up the abort", async () => {
    const controller = new AbortController();
    const model = scriptedModel([calls(["a", "stuck"], ["b", "quick"])]);
    const { stored, append } = recorder();
    const stuck = tool("stuck", { execute: () => new Promise(() => undefined) });
    const quick = tool("quick", { execute: async () => ({ content: "quick" }) });
    const list: AgentEvent[] = [];
    const options = { model, tools: [stuck, quick], append, signal: controller.signal };
    for await (const event of run([hello], options)) {
      list.push(event);
      if (event.type === "tool_execution_end") setImmediate(() => controller.abort());
    }
    expect(brief(stored).slice(2)).toEqual(["failed a: aborted", "result b: quick"]);
    expect(outline(list).slice(-7)).toEqual([
      "tool_execution_end a",
      "message_start toolResult",
      "message_end toolResult",
      "message_start toolResult",
      "message_end toolResult",
      "turn_end",
      "agent_end",
    ]);
  });

  test.each(["before", "after"] as const)("nor a hook (%s)", async (name) => {
    const controller = new AbortController();
    const model = scriptedModel([calls(["a", "beside"])]);
    const { stored, append } = recorder();
    const hooks = {
      [name]: () => {
        setImmediate(() => controller.abort());
        return new Promise<undefined>(() => undefined);
      },
    };
    for await (const _ of run([hello], { model, tools, append, hooks, signal: controller.signal }));
    expect(brief(stored)[2]).toBe(name === "before" ? "failed a: aborted" : "result a: a done");
  });

  test("nor a model, before or after it has begun to speak", async () => {
    for (const begun of [false, true]) {
      const controller = new AbortController();
      const { stored, append } = recorder();
      const model = scriptedModel([
        async function* () {
          const partial = answer([]);
          yield { type: "start", partial };
          if (begun) yield { type: "text_delta", contentIndex: 0, delta: "Hel" };
          setImmediate(() => controller.abort());
          await new Promise(() => undefined);
        },
      ]);
      const types: string[] = [];
      for await (const { type } of run([hello], { model, append, signal: controller.signal }))
        types.push(type);
      expect(types.at(-1)).toBe("agent_end");
      expect(brief(stored)).toEqual(["user: Hello", `assistant aborted: ${begun ? "Hel" : ""}`]);
    }
  });

  test("leaving while an event is awaited stops the run at once", async () => {
    const { stored, append } = recorder();
    const stuck = tool("stuck", { execute: () => new Promise(() => undefined) });
    const generator = run([hello], { model: scriptedModel([calls(["a", "stuck"])]), tools: [stuck], append });
    for (let { value } = await generator.next(); value?.type !== "tool_execution_start"; ) {
      ({ value } = await generator.next());
    }
    const waiting = generator.next();
    await generator.return(undefined);
    expect((await waiting).value).toMatchObject({ type: "tool_execution_end", isError: true });
    expect(brief(stored)).toEqual(["user: Hello", "assistant toolUse: a", "failed a: aborted"]);
  });
});

test("aborted before it begins, a run keeps its prompts, asks nothing and leaves an aborted answer", async () => {
  const model = scriptedModel([says("Hi.")]);
  const list: AgentEvent[] = [];
  for await (const event of run([hello], { model, signal: AbortSignal.abort(), now: () => 7 }))
    list.push(event);
  expect(outline(list)).toEqual([
    "agent_start",
    "turn_start",
    "message_start user",
    "message_end user",
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "agent_end",
  ]);
  expect(list.at(-2)).toMatchObject({
    message: {
      role: "assistant",
      content: [],
      api: "",
      provider: "scripted",
      model: "m",
      stopReason: "aborted",
      timestamp: 7,
      ext: { synthesised: ["/api", "/usage"] },
    },
    toolResults: [],
  });
  expect(model.asked).toEqual([]);
});

test("the signal of a run that has ended is let go", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  for await (const _ of run([hello], { model: scriptedModel(script()), tools, signal }));
  expect(listeners).toBe(0);
});
