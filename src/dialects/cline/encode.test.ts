import { describe, expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { AssistantMessage, ToolResultMessage, Usage, UserMessage } from "../../core/types.js";
import { encode as encodeRecords, joinsMessage } from "./encode.js";

/** Records as JSON has them. */
const encode = (...unit: Parameters<typeof encodeRecords>) =>
  encodeRecords(...unit).map((one): Record<string, unknown> => JSON.parse(JSON.stringify(one)));

const usage = (input: number, output: number, cost: number, cacheRead = 0, cacheWrite = 0): Usage => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  totalTokens: input + output + cacheRead + cacheWrite,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
});

const user: UserMessage = { role: "user", id: "u1", content: "Go", timestamp: 1 };

const answer = (id: string, text: string, more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  id,
  content: text === "" ? [] : [{ type: "text", text }],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: usage(10, 2, 0.1),
  stopReason: "stop",
  timestamp: 5,
  ...more,
});

const result = (id: string | undefined, toolCallId: string, text: string): ToolResultMessage => ({
  role: "toolResult",
  ...(id === undefined ? {} : { id }),
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 6,
});

const modelInfo = { id: "claude-opus-4-6", provider: "anthropic" };
const userRecord = { id: "u1", role: "user", content: [{ type: "text", text: "Go" }] };
const metrics = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.1 };
const record = (id: string, text: string) => ({
  id,
  role: "assistant",
  content: [{ type: "text", text }],
  ts: 5,
  modelInfo,
});

describe("the four outcomes of a turn", () => {
  test("success: the answer has its model and full metrics, with the cached tokens among the input tokens", () => {
    expect(encode([user, answer("a1", "Done", { usage: usage(17, 8, 0, 3, 1) })])).toEqual([
      userRecord,
      {
        ...record("a1", "Done"),
        metrics: { inputTokens: 21, outputTokens: 8, cacheReadTokens: 3, cacheWriteTokens: 1, cost: 0 },
      },
    ]);
  });

  test.each(["error", "aborted"] as const)(
    "failure (%s) before any output: no message is made up",
    (stopReason) => {
      const failed = answer("a1", "", { stopReason, usage: usage(0, 0, 0), errorMessage: "overloaded" });
      expect(encode([user, failed])).toEqual([userRecord]);
    },
  );

  test("a failure that cost something is kept, without output", () => {
    expect(encode([user, answer("a1", "", { stopReason: "error" })])).toEqual([
      userRecord,
      { id: "a1", role: "assistant", content: [], ts: 5, modelInfo, metrics },
    ]);
  });

  test("failure and retry: each attempt keeps its own model and metrics", () => {
    const failed = answer("a1", "The log beg", { stopReason: "error", usage: usage(7, 3, 0.05) });
    expect(encode([user, failed, answer("a2", "The log is empty.")])).toEqual([
      userRecord,
      {
        ...record("a1", "The log beg"),
        metrics: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.05 },
        interrupted: "error",
      },
      { ...record("a2", "The log is empty."), metrics },
    ]);
  });

  test("a last answer without content is left out; what it used counts for the turn", () => {
    const empty = answer("a2", "", { usage: usage(5, 1, 0.05) });
    expect(encode([user, answer("a1", "Done."), empty])).toEqual([
      userRecord,
      {
        ...record("a1", "Done."),
        metrics: { inputTokens: 15, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.15 },
      },
    ]);
  });

  test("failure without output and retry: only the retry is there", () => {
    const failed = answer("a1", "", { stopReason: "error", usage: usage(0, 0, 0) });
    expect(encode([user, failed, answer("a2", "Fine")])).toEqual([
      userRecord,
      { ...record("a2", "Fine"), metrics },
    ]);
  });

  test("several answers: only the last has metrics, the exact sum; the others have their model", () => {
    const call = answer("a1", "", {
      content: [{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } }],
      stopReason: "toolUse",
      usage: usage(10, 1, 0.1, 5, 0),
    });
    expect(
      encode([
        user,
        call,
        result("r1", "c1", "text"),
        answer("a2", "Hm", { usage: usage(1, 1, 0.2) }),
        answer("a3", "Ok"),
      ]),
    ).toEqual([
      userRecord,
      {
        id: "a1",
        role: "assistant",
        content: [{ type: "tool_use", id: "c1", name: "read", input: { path: "a" } }],
        ts: 5,
        modelInfo,
      },
      {
        id: "r1",
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c1", content: "text", is_error: false }],
      },
      record("a2", "Hm"),
      {
        ...record("a3", "Ok"),
        metrics: { inputTokens: 26, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 0, cost: 0.4 },
      },
    ]);
  });
});

describe("what the source did not know", () => {
  test("is not written as if it were known", () => {
    const bare = answer("a1", "Hi", {
      provider: "",
      model: "",
      usage: usage(0, 0, 0),
      timestamp: 0,
      ext: { synthesised: ["/provider", "/model", "/usage", "/timestamp"] },
    });
    expect(encode([bare])).toEqual([
      { id: "a1", role: "assistant", content: [{ type: "text", text: "Hi" }] },
    ]);
  });
});

describe("metrics", () => {
  const unpriced = { usage: usage(10, 2, 0), ext: { synthesised: ["/usage/cost"] } };
  const priceless = { ...metrics, cost: 0 };

  test("have a cost of 0 when the price is not known, and it is not read as a price", async () => {
    expect(encode([answer("a1", "Hi", unpriced)])).toEqual([{ ...record("a1", "Hi"), metrics: priceless }]);
    const line = `${JSON.stringify(answer("a1", "Hi", unpriced))}\n`;
    const { output, losses } = await convert(line, { from: "openclaw", to: "cline" });
    const back = await convert(output, { from: "cline", to: "openclaw" });
    expect(JSON.parse(back.output.split("\n")[1] ?? "").ext.synthesised).toContain("/usage/cost");
    expect(losses.filter(({ what }) => what.startsWith("usage"))).toEqual([]);
  });

  test("have 0 for cached tokens that are not known, and the ledger says so", async () => {
    const ext = { synthesised: ["/usage/cacheWrite"] };
    const { output, losses } = await convert(`${JSON.stringify(answer("a1", "Hi", { ext }))}\n`, {
      from: "openclaw",
      to: "cline",
    });
    expect(JSON.parse(output).messages[0].metrics).toEqual(metrics);
    expect(losses.filter(({ what }) => what.includes("/usage/cacheWrite"))).toEqual([
      {
        at: "/0/ext/synthesised/0",
        what: 'ext.synthesised.0 ("/usage/cacheWrite")',
        why: "the file has a neutral value there",
        severity: "synthesised",
      },
    ]);
  });

  test.each(["error", "aborted"] as const)(
    "are left out when nobody knows the usage of an answer that was cut off (%s)",
    (stopReason) => {
      for (const synthesised of [["/usage"], ["/usage/cost"]]) {
        const cut = answer("a1", "The log beg", { stopReason, usage: usage(0, 0, 0), ext: { synthesised } });
        expect(encode([user, cut])).toEqual([
          userRecord,
          { ...record("a1", "The log beg"), interrupted: stopReason },
        ]);
      }
    },
  );

  test("of an answer that was cut off are those of the answers before it", () => {
    const call = answer("a1", "", {
      content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }],
      stopReason: "toolUse",
    });
    const cut = answer("a2", "It", {
      stopReason: "aborted",
      usage: usage(0, 0, 0),
      ext: { synthesised: ["/usage"] },
    });
    expect(encode([user, call, result("r1", "c1", "text"), cut]).at(-1)).toEqual({
      ...record("a2", "It"),
      metrics,
      interrupted: "aborted",
    });
  });

  test("of a failed answer whose calls were answered are in the sum of the turn", () => {
    const failed = answer("a1", "", {
      content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }],
      stopReason: "error",
      usage: usage(7, 3, 0.05),
    });
    const records = encode([user, failed, result("r1", "c1", "not run"), answer("a2", "Fine")]);
    expect(records.map((one) => one["metrics"])).toEqual([
      undefined,
      undefined,
      undefined,
      { ...metrics, inputTokens: 17, outputTokens: 5, cost: 0.15 },
    ]);
  });
});

describe("tool results", () => {
  test("in a row become one user message, with the id of the first", () => {
    expect(encode([result("r1", "c1", "one"), result("r2", "c2", "two")])).toEqual([
      {
        id: "r1",
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "one", is_error: false },
          { type: "tool_result", tool_use_id: "c2", content: "two", is_error: false },
        ],
      },
    ]);
  });

  test("hold images; a user message does not", () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    expect(
      encode([
        { ...user, content: [image] },
        { ...result("r1", "c1", ""), content: [image] },
      ]),
    ).toEqual([
      { id: "u1", role: "user", content: [] },
      {
        id: "r1",
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: [{ type: "image", data: "AAAA", mediaType: "image/png" }],
            is_error: false,
          },
        ],
      },
    ]);
  });
});

describe("turns", () => {
  test("go on after a system message: only the last answer has metrics", async () => {
    const system = { role: "system", content: "In French.", timestamp: 1 };
    const lines = [user, answer("a1", "Hi"), system, answer("a2", "Salut")];
    const text = lines.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { output } = await convert(text, { from: "openclaw", to: "cline" });
    const messages: Record<string, unknown>[] = JSON.parse(output).messages;
    expect(messages.map((one) => one["metrics"])).toEqual([
      undefined,
      undefined,
      { inputTokens: 20, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.2 },
    ]);
  });

  const merged: UserMessage = { ...user, ext: { cline: { merged: true } } };

  test("begin with a user message, unless it stood among tool results", () => {
    expect(joinsMessage(answer("a1", "x"), user)).toBe(false);
    expect(joinsMessage(user, answer("a1", "x"))).toBe(true);
    expect(joinsMessage(result("r1", "c1", "x"), merged)).toBe(true);
    expect(joinsMessage(answer("a1", "x"), merged)).toBe(false);
  });
});

test("what only another dialect can say is lost for that reason", async () => {
  const text = `${JSON.stringify({ ...answer("a1", "Hi"), ext: { other: { x: 1 } } })}\n`;
  const { losses } = await convert(text, { from: "openclaw", to: "cline" });
  expect(losses.filter(({ what }) => what.startsWith("ext"))).toEqual([
    {
      at: "/0/ext/other",
      what: 'ext.other ({"x":1})',
      why: "only the dialect named in it can represent it",
      severity: "dropped",
    },
  ]);
});

test("a picture that a user sent is named in the ledger, with the reason", async () => {
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ];
  const text = `${JSON.stringify({ ...user, content })}\n`;
  const { losses } = await convert(text, { from: "openclaw", to: "cline" });
  expect(losses.filter(({ at }) => at.startsWith("/0/content"))).toEqual([
    {
      at: "/0/content/1",
      of: "content",
      what: 'content.1 ({"type":"image","data":"AAAA","mimeType"…)',
      why: "the contract has no block for a user's images, audio or files, nor for other dialects' blocks",
      severity: "dropped",
    },
  ]);
});

test("a block whose type is no text comes back", () => {
  const value = { type: { toString: {} } };
  const message: UserMessage = { ...user, content: [{ type: "opaque", dialect: "cline", value }] };
  expect(encode([message])).toEqual([{ ...userRecord, content: [value] }]);
});
