import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { brief, outline } from "../../test/fakes/agent-outline.js";
import { answer, calls, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import { type AgentEvent, type AgentMessage, type AssistantMessage, DragomanError } from "../core/index.js";
import { type RunOptions, run } from "./run.js";
import type { Tool } from "./types.js";

const hello: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };

/** A tool that ends when it is told to. */
function gated(name: string, rest: Partial<Tool> = {}) {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const tool: Tool = {
    name,
    description: name,
    parameters: Type.Object({}),
    execute: (_args, { toolCallId }) => {
      started.push(toolCallId);
      return new Promise((resolve) => ends.push(() => resolve({ content: `${toolCallId} done` })));
    },
    ...rest,
  };
  return { tool, ends, started };
}

function plain(name: string, execute: Tool["execute"], rest: Partial<Tool> = {}): Tool {
  return { name, description: name, parameters: Type.Object({}), execute, ...rest };
}

async function collectRun(first: AssistantMessage, options: Partial<RunOptions>) {
  const model = scriptedModel([first, says("Done.")]);
  const list: AgentEvent[] = [];
  for await (const event of run([hello], { model, ...options })) list.push(event);
  const last = list.at(-1);
  const messages = last?.type === "agent_end" ? last.messages : [];
  return { list, model, messages, results: brief(messages.filter(({ role }) => role === "toolResult")) };
}

describe("order", () => {
  test("calls run at the same time; ends come as they end, results in the order of the calls", async () => {
    const { tool, ends, started } = gated("wait");
    const model = scriptedModel([calls(["a", "wait"], ["b", "wait"], ["c", "wait"]), says("Done.")]);
    const list: AgentEvent[] = [];
    for await (const event of run([hello], { model, tools: [tool] })) {
      list.push(event);
      if (event.type === "tool_execution_start" && event.toolCallId === "c") {
        expect(started).toEqual([]);
        // The reader asks for the next event only after this turn of the event loop.
        setImmediate(() => {
          expect(started).toEqual(["a", "b", "c"]);
          ends[2]?.();
          setImmediate(() => {
            ends[0]?.();
            setImmediate(() => ends[1]?.());
          });
        });
      }
    }
    expect(outline(list).filter((line) => line.startsWith("tool_"))).toEqual([
      "tool_execution_start a",
      "tool_execution_start b",
      "tool_execution_start c",
      "tool_execution_end c",
      "tool_execution_end a",
      "tool_execution_end b",
    ]);
    const last = list.at(-1);
    expect(brief(last?.type === "agent_end" ? last.messages : []).slice(2, 5)).toEqual([
      "result a: a done",
      "result b: b done",
      "result c: c done",
    ]);
  });

  test("a sequential tool never runs beside another", async () => {
    let running = 0;
    const most: Record<string, number> = {};
    const execute: Tool["execute"] = async (_args, { toolCallId }) => {
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      most[toolCallId] = running;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return { content: "ok" };
    };
    const tools = [plain("beside", execute), plain("alone", execute, { sequential: true })];
    const { list } = await collectRun(
      calls(
        ["a", "beside"],
        ["b", "beside"],
        ["c", "alone"],
        ["d", "alone"],
        ["e", "beside"],
        ["f", "beside"],
      ),
      { tools },
    );
    expect(most).toEqual({ a: 2, b: 2, c: 1, d: 1, e: 2, f: 2 });
    expect(outline(list).filter((line) => line.startsWith("tool_execution_start"))).toEqual(
      ["a", "b", "c", "d", "e", "f"].map((id) => `tool_execution_start ${id}`),
    );
  });

  test("the model reads why a call failed, and what to do about it", async () => {
    const tool = plain("close", () => {
      throw new DragomanError("mcp/failed", "more access is required", { hint: "log in again" });
    });
    const { list } = await collectRun(calls(["a", "close"]), { tools: [tool] });
    const last = list.at(-1);
    expect(brief(last?.type === "agent_end" ? last.messages : [])[2]).toBe(
      "failed a: more access is required (log in again)",
    );
  });

  test("of several updates that nobody has taken, the latest is shown", async () => {
    const tool = plain("count", async (_args, { update }) => {
      for (let step = 1; step <= 1000; step++) update({ content: `${step}` });
      await new Promise((resolve) => setImmediate(resolve));
      update({ content: "almost" });
      return { content: "end" };
    });
    const { list } = await collectRun(calls(["a", "count"]), { tools: [tool] });
    const updates = list.flatMap((event) =>
      event.type === "tool_execution_update" ? [event.partialResult] : [],
    );
    expect(updates).toEqual([{ content: "1000" }, { content: "almost" }]);
  });

  test("an update after the end is not shown", async () => {
    let late: (() => void) | undefined;
    const tool = plain("late", async (_args, { update }) => {
      late = () => update({ content: "too late" });
      return { content: "end" };
    });
    const model = scriptedModel([calls(["a", "late"]), says("Done.")]);
    const types: string[] = [];
    for await (const { type } of run([hello], { model, tools: [tool] })) {
      types.push(type);
      if (type === "tool_execution_end") late?.();
    }
    expect(types).not.toContain("tool_execution_update");
    expect(types.at(-1)).toBe("agent_end");
  });
});

describe("what the model is told", () => {
  const edit = plain("edit", async () => ({ content: "ok" }), {
    parameters: Type.Object(
      { path: Type.String(), lines: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))) },
      { additionalProperties: false },
    ),
  });

  test.each([
    [["nope", {}], 'there is no tool "nope"; there are: edit'],
    [
      ["edit", {}],
      'the arguments of "edit" do not fit its schema:\n- arguments: Instance does not have required property "path".',
    ],
    [
      ["edit", { path: 1 }],
      'the arguments of "edit" do not fit its schema:\n- path: Instance type "number" is invalid. Expected "string".',
    ],
    [
      ["edit", { path: "a", lines: [3, 0] }],
      'the arguments of "edit" do not fit its schema:\n- lines/1: 0 is less than 1.',
    ],
    [
      ["edit", { path: "a", mode: 1 }],
      'the arguments of "edit" do not fit its schema:\n- arguments: Property "mode" does not match additional properties schema.',
    ],
  ] as const)("of the call %j", async ([name, args], expected) => {
    const { results, list } = await collectRun(calls(["a", name, args]), { tools: [edit] });
    expect(results).toEqual([`failed a: ${expected}`]);
    expect(outline(list).filter((line) => line.startsWith("tool_"))).toEqual([
      "tool_execution_start a",
      "tool_execution_end a",
    ]);
  });

  test("without tools there are none", async () => {
    const { results } = await collectRun(calls(["a", "nope"]), {});
    expect(results).toEqual(['failed a: there is no tool "nope"; there are none']);
  });

  test("arguments that were not JSON are not run", async () => {
    const call = { type: "toolCall" as const, id: "a", name: "edit", arguments: { path: "x" } };
    const { results } = await collectRun(
      answer([{ ...call, argumentsError: "the arguments are not JSON" }]),
      {
        tools: [edit],
      },
    );
    expect(results).toEqual(["failed a: the arguments are not JSON"]);
  });

  test.each([
    ["an error", () => Promise.reject(new Error("ENOENT")), "ENOENT"],
    ["a string", () => Promise.reject("broken"), "broken"],
    ["nothing", () => Promise.reject(undefined), "undefined"],
    [
      "at once",
      () => {
        throw new Error("now");
      },
      "now",
    ],
  ])("by a tool that throws %s", async (_what, execute, expected) => {
    const { results } = await collectRun(calls(["a", "bad"]), { tools: [plain("bad", execute)] });
    expect(results).toEqual([`failed a: ${expected}`]);
  });

  test("by a tool whose result cannot be stored", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const tools = [
      plain("nothing", () => JSON.parse("null")),
      plain("number", () => JSON.parse('{"content":5}')),
      plain("cycle", async () => ({ content: "x", details: cyclic })),
    ];
    const { results } = await collectRun(calls(["z", "nothing"], ["a", "number"], ["b", "cycle"]), { tools });
    expect(results[0]).toBe('failed z: the tool "nothing" returned nothing');
    expect(results[1]).toBe('failed a: the tool "number" returned no content that a model can read');
    expect(results[2]).toMatch(/^failed b: the tool "cycle" returned details that are not JSON: /);
  });

  test("by a tool that fails in its own words, with details for programs", async () => {
    const tool = plain("exec", async () => ({ content: "exit 1", details: { code: 1 }, isError: true }));
    const { messages, list } = await collectRun(calls(["a", "exec"]), { tools: [tool] });
    expect(messages[2]).toMatchObject({ isError: true, details: { code: 1 }, content: [{ text: "exit 1" }] });
    expect(list.find(({ type }) => type === "tool_execution_end")).toEqual({
      type: "tool_execution_end",
      toolCallId: "a",
      toolName: "exec",
      result: { content: [{ type: "text", text: "exit 1" }], details: { code: 1 } },
      isError: true,
    });
  });

  test("a tool gets a copy of the arguments: the transcript keeps what the model wrote", async () => {
    const tool = plain("spoil", async (args) => {
      Object.assign(args as object, { path: "/etc/passwd" });
      return { content: "ok" };
    });
    const { messages } = await collectRun(calls(["a", "spoil", { path: "a" }]), { tools: [tool] });
    expect(messages[1]).toMatchObject({ content: [{ arguments: { path: "a" } }] });
  });
});

describe("hooks", () => {
  const tool = plain("act", async () => ({ content: "acted" }));

  test("before may block, and sees calls in order", async () => {
    const seen: string[] = [];
    const { results } = await collectRun(calls(["a", "act"], ["b", "act"]), {
      tools: [tool],
      hooks: {
        before: async ({ id }) => {
          seen.push(id);
          return id === "a" ? { block: "not allowed" } : undefined;
        },
      },
    });
    expect(seen).toEqual(["a", "b"]);
    expect(results).toEqual(["failed a: not allowed", "result b: acted"]);
  });

  test("one that throws blocks the call", async () => {
    const hooks = { before: () => Promise.reject(new Error("no policy")) };
    const { results } = await collectRun(calls(["a", "act"]), { tools: [tool], hooks });
    expect(results).toEqual(["failed a: no policy"]);
  });

  test("after may change what the model reads, but not which call it answers", async () => {
    const { results } = await collectRun(calls(["a", "act"]), {
      tools: [tool],
      hooks: {
        after: async (_call, result) => ({
          ...result,
          toolCallId: "z",
          content: [{ type: "text", text: "hidden" }],
        }),
      },
    });
    expect(results).toEqual(["result a: hidden"]);
  });

  test("after that throws is told", async () => {
    const hooks = { after: () => Promise.reject(new Error("oops")) };
    const { results } = await collectRun(calls(["a", "act"]), { tools: [tool], hooks });
    expect(results).toEqual(["failed a: the call ran, but a hook failed on its result: oops"]);
  });
});

test("what tools add to the log comes after all results", async () => {
  const told: AgentMessage = { role: "agentComplete", agentId: "helper", result: "42", timestamp: 1 };
  const tools = [
    plain("ask", async () => ({ content: "42", afterwards: [told] }), { sequential: true }),
    plain("act", async () => ({ content: "acted" })),
  ];
  const { messages } = await collectRun(calls(["a", "ask"], ["b", "act"]), { tools });
  expect(brief(messages)).toEqual([
    "user: Hello",
    "assistant toolUse: a b",
    "result a: 42",
    "result b: acted",
    "agentComplete",
    "assistant stop: Done.",
  ]);
});
