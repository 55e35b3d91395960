import { describe, expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import { repair } from "../../convert/repair.js";
import type { JsonRecord } from "../../core/dialect.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantContent } from "../../core/types.js";

const session: AgentMessage = {
  role: "session",
  id: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
  timestamp: 1_772_442_000_000,
  ext: { other: { cwd: "/home/harbour" } },
};
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1_772_442_000_000 });
const answer = (content: AssistantContent[], fields: object = {}): AgentMessage => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  usage: { ...emptyUsage(), input: 9, output: 5, cacheRead: 3, cacheWrite: 2, totalTokens: 19 },
  stopReason: "stop",
  timestamp: 1_772_442_001_500,
  ...fields,
});
const call = (id: string): AssistantContent => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: { path: id },
});
const result = (toolCallId: string, fields: object = {}): AgentMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "ok" }],
  isError: false,
  timestamp: 1_772_442_002_000,
  ...fields,
});

async function written(messages: readonly AgentMessage[]) {
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { output, losses } = await convert(input, { from: "openclaw", to: "claude-code" });
  const lines: JsonRecord[] = output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { lines, losses };
}

function contentOf({ message }: JsonRecord): unknown {
  return (message as JsonRecord)["content"];
}

describe("a conversation of another program", () => {
  test("is a straight chain of lines with everything that Claude Code needs", async () => {
    const { lines } = await written([
      session,
      user("List files"),
      answer([call("toolu_1")]),
      result("toolu_1"),
    ]);
    const frame = {
      isSidechain: false,
      userType: "external",
      cwd: "/home/harbour",
      sessionId: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
      version: "2.1.325",
      gitBranch: "",
      entrypoint: "cli",
    };
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const [first, second, third] = lines.map(({ uuid }) => uuid);
    expect(lines).toEqual([
      {
        ...frame,
        parentUuid: null,
        type: "user",
        message: { role: "user", content: "List files" },
        uuid: expect.stringMatching(uuid),
        timestamp: "2026-03-02T09:00:00.000Z",
      },
      {
        ...frame,
        parentUuid: first,
        type: "assistant",
        message: {
          id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
          type: "message",
          role: "assistant",
          model: "claude-sonnet-4-5",
          content: [{ type: "tool_use", id: "toolu_1", name: "read", input: { path: "toolu_1" } }],
          stop_reason: "end_turn",
          stop_sequence: null,
          usage: {
            input_tokens: 9,
            output_tokens: 5,
            cache_creation_input_tokens: 2,
            cache_read_input_tokens: 3,
          },
        },
        uuid: expect.stringMatching(uuid),
        timestamp: "2026-03-02T09:00:01.500Z",
      },
      {
        ...frame,
        parentUuid: second,
        type: "user",
        message: { role: "user", content: [{ tool_use_id: "toolu_1", type: "tool_result", content: "ok" }] },
        uuid: expect.stringMatching(uuid),
        timestamp: "2026-03-02T09:00:02.000Z",
      },
    ]);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test("has a line for each block, all calls before all results", async () => {
    const blocks = [{ type: "text" as const, text: "Two files." }, call("a"), call("b")];
    const { lines } = await written([user("Go"), answer(blocks), result("b"), result("a")]);
    expect(lines.slice(1).map(({ type }) => type)).toEqual([
      "assistant",
      "assistant",
      "assistant",
      "user",
      "user",
    ]);
    for (const [index, line] of lines.entries()) {
      expect(line["parentUuid"]).toBe(index === 0 ? null : lines[index - 1]?.["uuid"]);
    }
    const ids = lines.slice(1, 4).map(({ message }) => (message as JsonRecord)["id"]);
    expect(new Set(ids).size).toBe(1);
  });

  test("has rising times on the lines of an answer, which earlier versions need to find the last one", async () => {
    const text = (value: string): AssistantContent => ({ type: "text", text: value });
    const { lines, losses } = await written([user("Hi"), answer([text("a"), text("b"), call("c")])]);
    expect(lines.map(({ timestamp }) => timestamp)).toEqual([
      "2026-03-02T09:00:00.000Z",
      "2026-03-02T09:00:01.500Z",
      "2026-03-02T09:00:01.501Z",
      "2026-03-02T09:00:01.502Z",
    ]);
    expect(losses.filter(({ what }) => what.includes("timestamp"))).toEqual([]);
  });

  test("has the same ids whenever it is written", async () => {
    const messages = [user("Go"), answer([{ type: "text", text: "Yes." }], { id: "a" }), user("Go")];
    const [once, again] = [await written(messages), await written(messages)];
    expect(once.lines).toEqual(again.lines);
    expect(new Set(once.lines.map(({ uuid }) => uuid)).size).toBe(3);
    // uuid5 of "a" in our namespace.
    expect(once.lines[1]?.["uuid"]).toBe("115f4999-24e5-5e58-9f02-b091050141c1");
  });

  test("has only thinking that Anthropic has signed", async () => {
    const thinking = { type: "thinking" as const, thinking: "Hm", thinkingSignature: "c2ln" };
    const text = { type: "text" as const, text: "Yes." };
    const signed = await written([user("Go"), answer([thinking, text])]);
    expect(signed.lines.slice(1).map(contentOf)).toEqual([
      [{ type: "thinking", thinking: "Hm", signature: "c2ln" }],
      [text],
    ]);
    for (const [content, fields] of [
      [[{ type: "thinking" as const, thinking: "Hm" }, text], {}],
      [[thinking, text], { api: "openai-responses", provider: "openai", model: "gpt" }],
    ] as const) {
      const { lines, losses } = await written([user("Go"), answer([...content], fields)]);
      expect(lines.slice(1).map(contentOf)).toEqual([[text]]);
      expect(losses).toContainEqual({
        at: "/1/content/0",
        what: expect.stringMatching(/^content\.0 /),
        why: "an answer holds non-empty text, calls, and thinking that Anthropic has signed",
        severity: "dropped",
        of: "content",
      });
    }
  });

  test("has call ids that the API accepts, the same for call and result", async () => {
    const { lines, losses } = await written([
      user("Go"),
      answer([call("a.b|c"), call("a_b.c")]),
      result("a.b|c"),
    ]);
    expect(contentOf(lines[1] ?? {})).toMatchObject([{ id: "a_b_c_ea3edd49" }]);
    expect(contentOf(lines[2] ?? {})).toMatchObject([{ id: "a_b_c_fbeaadaa" }]);
    expect(contentOf(lines[3] ?? {})).toMatchObject([{ tool_use_id: "a_b_c_ea3edd49" }]);
    const why = "the API accepts only letters, digits, _ and - in the id of a call";
    expect(losses.filter((loss) => loss.why === why).map(({ at }) => at)).toEqual([
      "/1/content/0/id",
      "/1/content/1/id",
      "/2/toolCallId",
    ]);
  });

  test("starts with a prompt: what comes before it is lost, and named", async () => {
    const status: AgentMessage = { role: "status", state: "busy", timestamp: 1 };
    const system: AgentMessage = { role: "system", content: "Be brief.", timestamp: 1 };
    const { lines, losses } = await written([system, status, user("Go"), system, status]);
    expect(lines.map(({ type }) => type)).toEqual(["user", "attachment", "system"]);
    expect(lines[1]).toMatchObject({ rendered: [{ content: "Be brief." }], renderedRole: "system" });
    expect(lines[2]).toMatchObject({
      subtype: "informational",
      isMeta: true,
      dragoman: { role: "status", state: "busy" },
    });
    const why = "a file starts with a prompt, because Claude Code does not list it otherwise";
    expect(losses.filter((loss) => loss.why === why).map(({ at }) => at)).toEqual(["/0", "/1"]);
  });

  test("has its title in front", async () => {
    const { lines } = await written([{ ...session, title: "Harbour" } as AgentMessage, user("Go")]);
    expect(lines[0]).toEqual({
      type: "custom-title",
      customTitle: "Harbour",
      sessionId: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
    });
  });

  test("does not pass on another tool's structures", async () => {
    const { lines, losses } = await written([
      user("Go"),
      answer([call("a")]),
      result("a", { details: { a: 1 } }),
    ]);
    expect(lines[2]).not.toHaveProperty("toolUseResult");
    expect(losses).toContainEqual({
      at: "/2/details",
      what: 'details ({"a":1})',
      why: "Claude Code expects the structures of its own tools there",
      severity: "dropped",
    });
  });

  test("has a boundary and a summary for a compaction", async () => {
    const compaction: AgentMessage = {
      role: "compaction",
      summary: "So far: nothing.",
      firstKeptId: "b",
      tokensBefore: 900,
      timestamp: 1_772_442_003_000,
    };
    const { lines } = await written([
      user("Go"),
      { ...user("On"), id: "b" } as AgentMessage,
      compaction,
      user("?"),
    ]);
    const [, kept, boundary, summary, next] = lines;
    expect(boundary).toMatchObject({
      parentUuid: null,
      logicalParentUuid: kept?.["uuid"],
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: {
        trigger: "manual",
        preTokens: 900,
        preservedSegment: {
          headUuid: kept?.["uuid"],
          anchorUuid: summary?.["uuid"],
          tailUuid: kept?.["uuid"],
        },
      },
    });
    expect(summary).toMatchObject({
      parentUuid: boundary?.["uuid"],
      message: { role: "user", content: "So far: nothing." },
      isCompactSummary: true,
    });
    expect(next?.["parentUuid"]).toBe(summary?.["uuid"]);
  });
});

describe("damaged lines", () => {
  const itself = { from: "claude-code", to: "claude-code" } as const;

  test.each([
    [
      "an attachment at the start",
      { attachment: { type: "dragoman" }, type: "attachment", uuid: "", rendered: [{ content: "" }] },
    ],
    [
      "a carried message at the start, without an id",
      { type: "system", subtype: "informational", uuid: "", dragoman: { role: "note" } },
    ],
    [
      "a carried answer without content",
      {
        type: "system",
        subtype: "informational",
        uuid: "",
        dragoman: {
          role: "assistant",
          content: [],
          api: "",
          provider: "",
          model: "",
          usage: { ...emptyUsage(), input: 8 },
          stopReason: "error",
        },
      },
    ],
    [
      "a parent that is not text",
      { parentUuid: {}, type: "m", uuid: "00000007-0000-4000-8000-000000000007" },
    ],
  ])("%s comes back as it was", async (_name, line) => {
    const { output, losses } = await convert(JSON.stringify(line), itself);
    expect([JSON.parse(output), losses]).toEqual([line, []]);
  });

  test("repair links a line to one whose uuid is not a UUID", async () => {
    const first = { parentUuid: null, type: "m", uuid: "a" };
    const second = { parentUuid: "missing", type: "m", uuid: "b" };
    const { output } = await repair(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`, {
      from: "claude-code",
    });
    const lines = output.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line)["parentUuid"])).toEqual([null, "a"]);
  });

  test("the session's time is that of the first line, also on the way through another format", async () => {
    const input = `{"type":"r","uuid":""}\n{"type":"m","timestamp":"2026-03-02T09:00:11.4"}\n`;
    const there = await convert(input, { from: "claude-code", to: "open-webui", escrow: true });
    const back = await convert(there.output, { from: "open-webui", to: "claude-code", escrow: true });
    expect(back.output).toBe(input);
  });
});
