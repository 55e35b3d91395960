import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { brief } from "../../test/fakes/agent-outline.js";
import { answer, calls, type Step, says, scriptedModel } from "../../test/fakes/scripted-model.js";
import { type AgentMessage, DragomanError, emptyUsage } from "../core/index.js";
import { noteMessage } from "../core/message/notes.js";
import { contextTokens } from "../core/shown/tokens.js";
import { compact, shouldCompact } from "./compaction.js";
import { type RunOptions, run } from "./run.js";

const usage = (totalTokens: number) => ({ ...emptyUsage(), totalTokens });

/** A text of so many tokens. */
const long = (tokens: number, of = "x") => of.repeat(tokens * 4);

function user(id: string, tokens = 100): AgentMessage {
  return { role: "user", content: long(tokens), id, timestamp: 1 };
}

function result(toolCallId: string, tokens = 100): AgentMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "t",
    content: [{ type: "text", text: long(tokens) }],
    isError: false,
    id: `r-${toolCallId}`,
    timestamp: 1,
  };
}

const withId = (id: string, message: AgentMessage): AgentMessage => ({ ...message, id });

/** A model that never answers; soon somebody loses patience. */
function hangUntil(controller: AbortController): Step {
  return async function* () {
    setImmediate(() => controller.abort());
    await new Promise(() => undefined);
    yield { type: "start", partial: answer([]) };
  };
}

/** What each question was made of: the lines of the conversation in it, without what they are about. */
function asked(model: ReturnType<typeof scriptedModel>): string[] {
  return model.asked.map(({ messages: [message] }) =>
    message?.role === "user" ? String(message.content) : "",
  );
}

describe("how full the window is", () => {
  test("what the provider counted, and an estimate of what follows", () => {
    const history = [
      user("1", 5000),
      withId("2", answer([{ type: "text", text: "ok" }], { usage: usage(7000) })),
    ];
    expect(contextTokens(history)).toBe(7000);
    expect(contextTokens([...history, user("3", 50)])).toBe(7050);
    expect(contextTokens([user("1", 5000), withId("2", says(long(10)))])).toBe(5010);
  });

  test("a count of an aborted answer, or from before a compaction, does not count", () => {
    const counted = withId("2", answer([{ type: "text", text: "ok" }], { usage: usage(7000) }));
    const aborted = withId("3", answer([], { usage: usage(9), stopReason: "aborted" }));
    expect(contextTokens([user("1"), counted, aborted])).toBe(7000);
    const compaction: AgentMessage = {
      role: "compaction",
      summary: long(30),
      firstKeptId: "2",
      id: "c",
      timestamp: 1,
    };
    // "Summary of the conversation so far:\n\n" is 37 characters.
    expect(contextTokens([user("1"), counted, compaction])).toBe(30 + 10 + 1);
    const undone = noteMessage({ type: "dragoman/undo-compaction", data: { id: "c" } }, 1);
    expect(contextTokens([user("1", 5), counted, compaction, undone])).toBe(6);
  });

  test.each([
    [200_000, 183_600, false],
    [200_000, 183_700, true],
    [8000, 6000, false],
    [8000, 6001, true],
  ])("a window of %i with %i tokens in it: %s", (contextWindow, tokens, expected) => {
    const history = [answer([], { usage: usage(tokens) })];
    expect(shouldCompact(history, scriptedModel([], { contextWindow }))).toBe(expected);
  });

  test("a window that nobody knows is never full", () => {
    expect(shouldCompact([user("1", 10_000_000)], scriptedModel([]))).toBe(false);
  });

  test("the reserve can be chosen", () => {
    const model = scriptedModel([], { contextWindow: 1000 });
    expect(shouldCompact([user("1", 950)], model, { reserveTokens: 10 })).toBe(false);
    expect(shouldCompact([user("1", 991)], model, { reserveTokens: 10 })).toBe(true);
  });
});

describe("compact", () => {
  test("keeps what was said last, and says what it cost", async () => {
    const spent = {
      ...answer([{ type: "text", text: " What was said. " }]),
      usage: { ...usage(12), input: 12 },
    };
    const model = scriptedModel([spent]);
    const messages = [user("1"), withId("2", says("a")), user("3"), withId("4", says("b")), user("5")];
    const line = await compact({ messages, model, keepTokens: 250, now: () => 9 });
    expect(line).toEqual({
      role: "compaction",
      summary: "What was said.",
      firstKeptId: "2",
      tokensBefore: 302,
      details: { model: "scripted/m", usage: { ...emptyUsage(), totalTokens: 12, input: 12 } },
      timestamp: 9,
    });
    expect(model.asked[0]?.tools).toBeUndefined();
    expect(asked(model)).toEqual([`Summarise these messages:\n{"role":"user","content":"${long(100)}"}`]);
  });

  test.each([
    [10, "7"],
    [150, "7"],
    [250, "7"],
    [350, "3"],
    [450, "2"],
    [100_000, "2"],
  ])(
    "keeping %i tokens begins with message %s: never between a call and its result",
    async (keepTokens, firstKeptId) => {
      const messages = [
        user("1"),
        user("2"),
        withId("3", calls(["a", "t"], ["b", "t"])),
        result("a"),
        { role: "status", state: "busy", id: "s", timestamp: 1 } satisfies AgentMessage,
        result("b"),
        user("7"),
      ];
      const line = await compact({ messages, model: scriptedModel([says("S")]), keepTokens });
      expect(line?.firstKeptId).toBe(firstKeptId);
    },
  );

  test("the summary before goes into the next one, and what it covered does not", async () => {
    const model = scriptedModel([says("S2")]);
    const compaction: AgentMessage = {
      role: "compaction",
      summary: 'S"1',
      firstKeptId: "2",
      id: "c",
      timestamp: 1,
    };
    const messages = [user("1"), user("2", 1), user("3", 1), compaction, user("4", 1)];
    const line = await compact({ messages, model, keepTokens: 1 });
    expect(line?.firstKeptId).toBe("4");
    expect(asked(model)).toEqual([
      'The summary so far (as JSON): "S\\"1"\n\nBring it up to date with these messages:\n{"role":"user","content":"xxxx"}\n{"role":"user","content":"xxxx"}',
    ]);
  });

  test.each<[string, object, string]>([
    [
      "the messages that the one before kept are summarised too",
      { summary: "S1", keptIds: ["1"] },
      'The summary so far (as JSON): "S1"\n\nBring it up to date with these messages:\n{"role":"user","content":"xxxx"}\n{"role":"user","content":"xxxx"}',
    ],
    [
      "the history that the one before left is summarised, without its summary",
      { summary: "S1", replacement: [{ role: "user", content: "left", timestamp: 1 }] },
      'Summarise these messages:\n{"role":"user","content":"left"}\n{"role":"user","content":"xxxx"}',
    ],
  ])("%s", async (_, fields, question) => {
    const model = scriptedModel([says("S2")]);
    const before = { role: "compaction", summary: "", id: "c", timestamp: 1, ...fields } as AgentMessage;
    const messages = [user("1", 1), user("2", 1), before, user("3", 1), user("4", 1)];
    const line = await compact({ messages, model, keepTokens: 1 });
    expect(line?.firstKeptId).toBe("4");
    expect(asked(model)).toEqual([question]);
  });

  test("nothing to summarise, or nothing that could be kept: no line", async () => {
    const model = scriptedModel([]);
    expect(await compact({ messages: [], model })).toBeUndefined();
    expect(await compact({ messages: [user("1")], model })).toBeUndefined();
    const nameless: AgentMessage = { role: "user", content: "x", timestamp: 1 };
    expect(await compact({ messages: [nameless, nameless, nameless], model })).toBeUndefined();
    expect(model.asked).toEqual([]);
  });

  test("a history larger than the window is summarised in pieces, none of them lost", async () => {
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}😀`);
    const older: AgentMessage = { role: "user", content: words.join(" "), id: "1", timestamp: 1 };
    const steps = Array.from({ length: 9 }, (_, index) => says(`S${index}`));
    const model = scriptedModel(steps, { contextWindow: 1000 });
    const line = await compact({ messages: [older, user("2", 1)], model });
    expect(model.asked).toHaveLength(6);
    expect(line?.summary).toBe("S5");
    const parts = asked(model).map((text) => text.slice(text.indexOf("messages:\n") + "messages:\n".length));
    expect(parts.join("")).toBe(`{"role":"user","content":"${words.join(" ")}"}`);
    expect(asked(model)[1]).toMatch(/^The summary so far \(as JSON\): "S0"\n/);
  });

  test("a piece that is too long after all is halved", async () => {
    const overflow = new DragomanError("provider/context-overflow", "too long");
    const model = scriptedModel([overflow, says("S1"), says("S2")]);
    const line = await compact({ messages: [user("1", 1000), user("2", 1)], model, keepTokens: 10 });
    expect(line?.summary).toBe("S2");
    expect(asked(model).map(({ length }) => length)).toEqual([4054, 2040, 2091]);
  });

  test.each<[string, Step, string]>([
    ["throws", new Error("down"), "down"],
    [
      "fails in the middle",
      answer([{ type: "text", text: "S" }], { stopReason: "error", errorMessage: "cut" }),
      "cut",
    ],
    ["says nothing", says("  "), "the model gave no summary"],
  ])("a model that %s", async (_name, step, why) => {
    const messages = [user("1"), user("2")];
    const compacting = compact({ messages, model: scriptedModel([step]), keepTokens: 10 });
    await expect(compacting).rejects.toMatchObject({
      code: "agent/not-compacted",
      message: `the conversation could not be summarised: ${why}`,
    });
  });

  test("aborted, it stops at once", async () => {
    const controller = new AbortController();
    const model = scriptedModel([hangUntil(controller)]);
    const messages = [user("1"), user("2")];
    await expect(
      compact({ messages, model, keepTokens: 10, signal: controller.signal }),
    ).rejects.toMatchObject({
      message: "the conversation could not be summarised: aborted",
    });
  });
});

describe("in a run", () => {
  const tool = {
    name: "t",
    description: "t",
    parameters: Type.Object({}),
    execute: async () => ({ content: "done" }),
  };
  const last = answer([{ type: "text", text: "b" }], { usage: usage(700) });
  const history = [user("1", 250), withId("2", says("a")), user("3", 250), withId("4", last)];
  const prompt: AgentMessage = { role: "user", content: "Go on", id: "5", timestamp: 1 };

  async function messagesOf(steps: Step[], options: Partial<RunOptions> = {}, card = { contextWindow: 800 }) {
    const model = scriptedModel(steps, card);
    let messages: AgentMessage[] = [];
    for await (const event of run([prompt], { model, history, ...options })) {
      if (event.type === "agent_end") ({ messages } = event);
    }
    return { messages: brief(messages), model };
  }

  test("a conversation that would not fit is compacted first", async () => {
    const { messages, model } = await messagesOf([says("Summary."), says("Done.")]);
    expect(messages).toEqual(["user: Go on", "compaction", "assistant stop: Done."]);
    expect(model.asked[1]?.messages).toMatchObject([
      { role: "user", content: "Summary of the conversation so far:\n\nSummary." },
      { role: "assistant", id: "4" },
      { role: "user", content: "Go on" },
    ]);
  });

  test("unless nobody wants that", async () => {
    const { messages } = await messagesOf([says("Done.")], { compaction: false });
    expect(messages).toEqual(["user: Go on", "assistant stop: Done."]);
  });

  test("one that turns out not to fit is compacted, and tried once more", async () => {
    const overflow = new DragomanError("provider/context-overflow", "too long");
    const big = { contextWindow: 10_000 };
    const options = { compaction: { keepTokens: 10 } };
    const once = await messagesOf([overflow, says("S"), says("Done.")], options, big);
    expect(once.messages).toEqual(["user: Go on", "compaction", "assistant stop: Done."]);
    const twice = await messagesOf([overflow, says("S"), overflow, says("Never.")], options, big);
    expect(twice.messages).toEqual([
      "user: Go on",
      "compaction",
      "failed answer provider/context-overflow: too long",
    ]);
    expect(twice.model.asked).toHaveLength(3);
  });

  test("between the turns of a run, too", async () => {
    const first = { ...calls(["a", "t"]), usage: usage(700) };
    const { messages, model } = await messagesOf(
      [first, says("S"), says("Done.")],
      { tools: [tool], history: [user("1", 10)] },
      { contextWindow: 800 },
    );
    expect(messages).toEqual([
      "user: Go on",
      "assistant toolUse: a",
      "result a: done",
      "compaction",
      "assistant stop: Done.",
    ]);
    const roles = model.asked[2]?.messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "user", "assistant", "toolResult"]);
  });

  test("a summary that fails is told once, and the run goes on", async () => {
    const { messages } = await messagesOf([new Error("down"), calls(["a", "t"]), says("Done.")], {
      tools: [tool],
    });
    expect(messages).toEqual([
      "user: Go on",
      "error agent/not-compacted: the conversation could not be summarised: down (nothing was changed; try again, or use another model)",
      "assistant toolUse: a",
      "result a: done",
      "assistant stop: Done.",
    ]);
  });

  test("an abort while it is summarised leaves the conversation uncompacted, and an aborted answer", async () => {
    const controller = new AbortController();
    const steps = [hangUntil(controller), says("Never.")];
    const { messages, model } = await messagesOf(steps, { signal: controller.signal });
    expect(messages).toEqual(["user: Go on", "assistant aborted: "]);
    expect(model.asked).toHaveLength(1);
  });
});
