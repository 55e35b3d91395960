import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { brief, outline } from "../../test/fakes/agent-outline.js";
import { answer, calls, type Step, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import { type AgentEvent, type AgentMessage, DragomanError, events, is } from "../core/index.js";
import { type RunOptions, run } from "./run.js";
import type { AgentModel, Append, Tool } from "./types.js";

const hello: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };

const echo: Tool = {
  name: "echo",
  description: "Says it again",
  parameters: Type.Object({ text: Type.String() }),
  execute: async (args) => ({ content: JSON.stringify(args) }),
};

async function collectRun(steps: Step[], options: Partial<RunOptions> = {}, prompts = [hello]) {
  const model = scriptedModel(steps);
  const list: AgentEvent[] = [];
  for await (const event of run(prompts, { model, now: () => 7, ...options })) list.push(event);
  const last = list.at(-1);
  return { list, model, messages: last?.type === "agent_end" ? last.messages : [] };
}

describe("order", () => {
  test("a run with two calls has its events in this order", async () => {
    const { list, messages } = await collectRun(
      [calls(["a", "echo", { text: "x" }], ["b", "echo", { text: "y" }]), says("Done.")],
      { tools: [echo] },
    );
    expect(outline(list)).toEqual([
      "agent_start",
      "turn_start",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_update",
      "message_end assistant",
      "tool_execution_start a",
      "tool_execution_start b",
      "tool_execution_end a",
      "tool_execution_end b",
      "message_start toolResult",
      "message_end toolResult",
      "message_start toolResult",
      "message_end toolResult",
      "turn_end",
      "turn_start",
      "message_start assistant",
      "message_update",
      "message_end assistant",
      "turn_end",
      "agent_end",
    ]);
    expect(brief(messages)).toEqual([
      "user: Hello",
      "assistant toolUse: a b",
      'result a: {"text":"x"}',
      'result b: {"text":"y"}',
      "assistant stop: Done.",
    ]);
  });

  test("an answer starts without content, and its blocks follow", async () => {
    const { list } = await collectRun([says("Hello.")]);
    const start = list.findIndex(
      (event) => event.type === "message_start" && event.message.role === "assistant",
    );
    expect(list[start]).toMatchObject({ message: { role: "assistant", content: [], stopReason: "stop" } });
    expect(list[start + 1]).toMatchObject({ assistantMessageEvent: { type: "text_start", contentIndex: 0 } });
  });

  test("an answer that comes whole has the same events as one that streams", async () => {
    const model = scriptedModel([]);
    model.stream = async function* () {
      const message = says("Hi.");
      yield { type: "start", partial: message };
      yield { type: "done", reason: "stop", message };
    };
    const { list } = await collectRun([], { model });
    expect(outline(list).slice(-5)).toEqual([
      "message_start assistant",
      "message_update",
      "message_end assistant",
      "turn_end",
      "agent_end",
    ]);
    expect(list[4]).toMatchObject({ message: { content: [] } });
  });

  test("a message is stored before its message_end, and once", async () => {
    const stored: AgentMessage[] = [];
    let number = 0;
    const append: Append = async (messages) => {
      const withIds = messages.map((message) => ({ ...message, id: `m${++number}` }));
      stored.push(...withIds);
      return withIds;
    };
    const model = scriptedModel([calls(["a", "echo", { text: "x" }]), says("Done.")]);
    const ended: AgentMessage[] = [];
    for await (const event of run([hello], { model, tools: [echo], append })) {
      if (event.type !== "message_end") continue;
      expect(stored).toContain(event.message);
      ended.push(event.message);
    }
    expect(ended.map(({ id }) => id)).toEqual(["m1", "m2", "m3", "m4"]);
    expect(stored).toHaveLength(4);
  });

  test("nothing happens that nobody asks for", async () => {
    const model = scriptedModel([says("Hi.")]);
    const generator = run([hello], { model });
    for (let count = 0; count < 4; count++) await generator.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(model.asked).toEqual([]);
    expect((await generator.next()).value).toMatchObject({ type: "message_start" });
    expect(model.asked).toHaveLength(1);
  });

  test("the model sees the history, the prompt, and its tools without their code", async () => {
    const history: AgentMessage[] = [{ role: "user", content: "Before", timestamp: 1 }, says("Yes?")];
    const { model, messages } = await collectRun([says("Hi.")], {
      history,
      tools: [echo],
      systemPrompt: "Be brief.",
    });
    expect(model.asked[0]?.systemPrompt).toBe("Be brief.");
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(model.asked[0]?.tools?.map((tool) => Object.keys(tool))).toEqual([
      ["name", "description", "parameters"],
    ]);
    expect(brief(messages)).toEqual(["user: Hello", "assistant stop: Hi."]);
  });
});

describe("failures of the model", () => {
  test("before anything was said: an answer without content that says why", async () => {
    const failure = new DragomanError("provider/http", "HTTP 500: down", {
      hint: "wait",
      details: { status: 500, code: "overloaded_error", retryable: true },
    });
    const { list, messages } = await collectRun([failure]);
    expect(outline(list).slice(-4)).toEqual([
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end",
    ]);
    const [failed] = messages.slice(-1);
    expect(failed).toEqual({
      role: "assistant",
      content: [],
      api: "",
      provider: "scripted",
      model: "m",
      usage: {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "error",
      errorMessage: "HTTP 500: down (wait)",
      timestamp: 7,
      ext: {
        synthesised: ["/api", "/usage"],
        failure: { code: "provider/http", status: 500, retryable: true },
      },
      id: expect.any(String),
    });
    expect(list.slice(-4, -1)).toEqual([
      { type: "message_start", message: failed },
      { type: "message_end", message: failed },
      { type: "turn_end", message: failed, toolResults: [] },
    ]);
    for (const event of list) expect(is("AgentEvent", event), event.type).toBe(true);
  });

  test("a failed answer without content is not shown to the model", async () => {
    const failed = answer([], { stopReason: "error", errorMessage: "down" });
    const { model } = await collectRun([says("Hi.")], { history: [hello, failed] });
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  });

  test("a terminal event without content is such a failure, too", async () => {
    const { messages } = await collectRun([
      answer([], {
        stopReason: "error",
        errorMessage: "overloaded",
        ext: { failure: { code: "provider/quota" } },
      }),
    ]);
    expect(brief(messages)).toEqual(["user: Hello", "failed answer provider/quota: overloaded"]);
    expect(messages[1]?.ext?.synthesised).toEqual(["/usage"]);
  });

  test("something that is no error at all can be thrown", async () => {
    const model: AgentModel = {
      provider: "p",
      id: "m",
      stream: () => {
        throw "nonsense";
      },
    };
    const { messages } = await collectRun([], { model });
    expect(brief(messages)).toEqual(["user: Hello", "failed answer provider/failed: nonsense"]);
  });

  test("in mid-answer: what was said is kept, and its calls are answered", async () => {
    const whole = answer([
      { type: "text", text: "I will look." },
      { type: "toolCall", id: "a", name: "echo", arguments: { text: "x" } },
      { type: "toolCall", id: "b", name: "echo", arguments: { text: "long" } },
    ]);
    const { messages, list } = await collectRun(
      [
        async function* () {
          for (const event of events(whole)) {
            if (event.type === "toolcall_end" && event.toolCall.id === "b") throw new Error("cut");
            yield event;
          }
        },
      ],
      { tools: [echo] },
    );
    const why = "the answer failed before it was complete, so the call was not run";
    expect(brief(messages)).toEqual([
      "user: Hello",
      "assistant error: I will look. a b",
      `failed a: ${why}`,
      `failed b: ${why}`,
    ]);
    expect(messages[1]).toMatchObject({
      errorMessage: "cut",
      content: [
        { type: "text" },
        { arguments: { text: "x" } },
        { argumentsError: "the arguments were cut off" },
      ],
    });
    expect(outline(list).at(-1)).toBe("agent_end");
  });

  test("the raw stream of a model breaks off or throws: the same", async () => {
    for (const end of ["throw", "return"]) {
      const model = scriptedModel([]);
      model.stream = async function* () {
        const partial = answer([{ type: "text", text: "Hel" }]);
        yield { type: "start", partial };
        yield { type: "text_delta", contentIndex: 0, delta: "Hel", partial };
        if (end === "throw") throw new DragomanError("provider/network", "reset");
      };
      const { messages } = await collectRun([], { model });
      expect(brief(messages)).toEqual(["user: Hello", "assistant error: Hel"]);
      expect(messages[1]).toMatchObject({
        ext: { failure: { code: end === "throw" ? "provider/network" : "provider/failed" } },
      });
    }
  });

  test("an answer that reached its limit runs none of its calls, and the model is told", async () => {
    const cut = { ...calls(["a", "echo", { text: "x" }]), stopReason: "length" as const };
    const { messages, list } = await collectRun([cut, says("Again.")], { tools: [echo] });
    expect(brief(messages)[2]).toBe(
      "failed a: the answer reached its length limit, so none of its calls was run; call again with shorter arguments",
    );
    expect(outline(list).filter((line) => line.startsWith("tool_"))).toEqual([]);
    expect(brief(messages).at(-1)).toBe("assistant stop: Again.");
  });

  test("two answers in a row whose calls were cut off end the run, with what to change", async () => {
    const cut = (id: string) => ({ ...calls([id, "echo", { text: "x" }]), stopReason: "length" as const });
    const { messages, model, list } = await collectRun([cut("a"), cut("b"), says("Never.")], {
      tools: [echo],
    });
    expect(model.asked).toHaveLength(2);
    expect(brief(messages).at(-1)).toBe(
      "error agent/length-limit: the model's answers reached their length limit twice in a row, so that its tool calls could not run (raise `agents.*.maxTokens` or `models.*.maxOutput` in the configuration)",
    );
    expect(outline(list).slice(-4)).toEqual([
      "turn_end",
      "message_start error",
      "message_end error",
      "agent_end",
    ]);
  });

  test("cut calls that are not in a row do not", async () => {
    const cut = (id: string) => ({ ...calls([id, "echo", { text: "x" }]), stopReason: "length" as const });
    const { messages } = await collectRun(
      [cut("a"), calls(["b", "echo", { text: "y" }]), cut("c"), says("Done.")],
      { tools: [echo] },
    );
    expect(brief(messages).at(-1)).toBe("assistant stop: Done.");
  });
});

describe("limits", () => {
  test("a model that calls for ever is stopped after 50 turns", async () => {
    const forever = Array.from({ length: 60 }, (_, index) => calls([`c${index}`, "echo", { text: "x" }]));
    const { messages, model } = await collectRun(forever, { tools: [echo] });
    expect(model.asked).toHaveLength(50);
    expect(brief(messages).slice(-2)).toEqual([
      'result c49: {"text":"x"}',
      "error agent/max-turns: the run was stopped after 50 turns",
    ]);
  });

  test("maxTurns is not reached by a run that stops there", async () => {
    const { messages } = await collectRun([calls(["a", "echo", { text: "x" }]), says("Done.")], {
      tools: [echo],
      maxTurns: 2,
    });
    expect(brief(messages).at(-1)).toBe("assistant stop: Done.");
  });
});

describe("the log", () => {
  test.each([
    [1, ["agent_start", "turn_start", "agent_end"]],
    [
      2,
      [
        "agent_start",
        "turn_start",
        "message_start user",
        "message_end user",
        "message_start assistant",
        "message_update",
        "agent_end",
      ],
    ],
  ])(
    "what cannot be stored (append %i) is not claimed, and the error comes after agent_end",
    async (broken, expected) => {
      let count = 0;
      const append: Append = async (messages) => {
        if (++count === broken) throw new Error("disk full");
        return messages;
      };
      const list: AgentEvent[] = [];
      const model = scriptedModel([calls(["a", "echo", { text: "x" }])]);
      const reading = (async () => {
        for await (const event of run([hello], { model, append, tools: [echo] })) list.push(event);
      })();
      await expect(reading).rejects.toMatchObject({
        code: "agent/not-stored",
        message: "a message could not be stored: disk full",
      });
      expect(outline(list)).toEqual(expected);
      expect(count).toBe(broken);
    },
  );

  test("a reader that leaves is told, too: at the last event, and when the rest cannot be stored", async () => {
    const broken: Append = () => Promise.reject(new Error("disk full"));
    for (const last of ["agent_end", "agent_start"]) {
      const reading = (async () => {
        for await (const { type } of run([hello], { model: scriptedModel([]), append: broken }))
          if (type === last) break;
      })();
      await expect(reading).rejects.toMatchObject({ code: "agent/not-stored" });
    }
  });

  test("a log that gives back something else is not believed", async () => {
    const append: Append = async () => [];
    await expect(collectRun([says("Hi.")], { append })).rejects.toMatchObject({
      message: "a message could not be stored: the log returned different messages than it was given",
    });
  });

  test("calls that a crash has left open are answered before the prompt", async () => {
    const history: AgentMessage[] = [
      hello,
      calls(["a", "echo"], ["b", "echo"]),
      { role: "toolResult", toolCallId: "a", toolName: "echo", content: [], isError: false, timestamp: 1 },
    ];
    const { messages, model } = await collectRun([says("Hi.")], { history });
    expect(brief(messages)).toEqual([
      "failed b: The process stopped before the tool finished. Whether it had any effect is unknown.",
      "user: Hello",
      "assistant stop: Hi.",
    ]);
    expect(model.asked[0]?.messages).toHaveLength(5);
  });
});
