import { describe, expect, test } from "vitest";
import type { DialectName } from "../dialects/registry.js";
import { check, type Provider } from "./check.js";
import { repair } from "./repair.js";

const NONE = "no result was recorded for this call";

function lines(...records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function parsed(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The repair of an input, and the errors of the kinds that repair handles in its output. */
async function repaired(from: DialectName, input: string, api?: Provider) {
  const options = { from, ...(api === undefined ? {} : { for: api }) };
  const { output, changes, notes } = await repair(input, options);
  const { problems } = await check(output, options);
  const left = problems
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code)
    .filter((code) =>
      /^pairing|missing-parent|\/(tool-id|blank-text|empty-message|lone-surrogate)$/.test(code),
    );
  return {
    output,
    left,
    changes: changes.map(({ code }) => code),
    notes: notes.map(({ code, message }) => `${code}: ${message}`),
  };
}

describe("a call", () => {
  test("is not answered by an interim result before it", async () => {
    const call = {
      role: "assistant",
      content: [],
      timestamp: 1,
      toolCall: { id: "c", name: "t", arguments: {} },
    };
    const interim = {
      role: "tool",
      content: [],
      timestamp: 1,
      toolResult: { toolCallId: "c", isPending: true },
    };
    const { output, changes, left } = await repaired("openclaw-turns", lines(interim, call));
    expect(parsed(output)).toMatchObject([call, interim, { toolResult: { toolCallId: "c", error: NONE } }]);
    expect(changes).toEqual(["pairing/early-result", "pairing/unanswered"]);
    expect(left).toEqual([]);
  });

  test("before the root of a tree is followed by its result, and that by the root", async () => {
    const call = {
      role: "assistant",
      content: [{ type: "toolCall", id: "c", name: "t", arguments: {} }],
      id: "a",
      timestamp: 1,
    };
    const root = { role: "user", content: "Hi", id: "b", parentId: null, timestamp: 2 };
    const { output, changes, left } = await repaired("openclaw", lines(call, root));
    expect(parsed(output)).toEqual([
      call,
      {
        role: "toolResult",
        toolCallId: "c",
        toolName: "t",
        content: [{ type: "text", text: NONE }],
        isError: true,
        timestamp: 1,
        id: "a-result",
        parentId: "a",
      },
      { ...root, parentId: "a-result" },
    ]);
    expect(changes).toEqual(["pairing/unanswered", "tree/relinked"]);
    expect(left).toEqual([]);
  });

  test("of Gemini CLI with an id that is not text and an empty result gets both", async () => {
    const { output, left } = await repaired(
      "gemini-cli",
      lines({ id: "a", type: "gemini", toolCalls: [{ id: {}, name: "t", args: {}, result: [] }] }),
    );
    const functionResponse = { id: "call_1", name: "t", response: { error: NONE } };
    expect(parsed(output)).toEqual([
      {
        id: "a",
        type: "gemini",
        toolCalls: [{ id: "call_1", name: "t", args: {}, result: [{ functionResponse }], status: "error" }],
      },
    ]);
    expect(left).toEqual([]);
  });

  test("of Copilot with arguments as text has the corrected text", async () => {
    const request = { toolCallId: "c", name: "t", arguments: "\ud83d" };
    const result = { toolCallId: "c", success: true, result: { content: "x" } };
    const { output, left } = await repaired(
      "copilot-cli",
      lines(
        { type: "assistant.message", data: { content: "", toolRequests: [request] } },
        { type: "tool.execution_complete", data: result },
      ),
      "openai-responses",
    );
    expect(parsed(output)).toMatchObject([
      { data: { toolRequests: [{ toolCallId: "c", name: "t", arguments: { input: "\ufffd" } }] } },
      { data: result },
    ]);
    expect(left).toEqual([]);
  });

  test("of ChatGPT, which has no call ids, keeps its id, and the notes and the hint state so", async () => {
    const author = { role: "assistant" };
    const message = { author, content: { content_type: "code", text: "1" }, recipient: "python" };
    const input = JSON.stringify({ mapping: { "a b": { id: "a b", message, parent: null, children: [] } } });
    const { notes, left } = await repaired("chatgpt", input, "anthropic");
    expect(notes).toEqual(["repair/lost: ChatGPT data export could not represent content.0.id"]);
    expect(left).toEqual(["anthropic/tool-id", "anthropic/tool-id"]);
    const { problems } = await check(input, { from: "chatgpt", for: "anthropic" });
    expect(problems.find(({ code }) => code === "anthropic/tool-id")?.hint).toBe(
      "`dragoman repair --for anthropic` writes another id in the call and its result, unless a ChatGPT data export cannot represent the change",
    );
  });
});

test("the name of a Bedrock document has no half of a character", async () => {
  const document = { format: "txt", name: "\ud83d", source: { bytes: "eA==" } };
  const { output, left } = await repaired(
    "bedrock",
    JSON.stringify({ messages: [{ role: "user", content: [{ document }, { text: "Hi" }] }] }),
    "bedrock",
  );
  expect(JSON.parse(output)).toEqual({
    messages: [{ role: "user", content: [{ document: { ...document, name: "-" } }, { text: "Hi" }] }],
  });
  expect(left).toEqual([]);
});

describe("branches", () => {
  const said = (uuid: string, parentUuid: string | null, type: string, parts: object[]) => ({
    uuid,
    parentUuid,
    type,
    message: { parts },
  });
  const prompt = said("a", null, "user", [{ text: "Hi" }]);
  const active = said("c", "a", "assistant", [{ text: "Hello" }]);

  test.each<[string, object]>([
    ["a call", said("b", "a", "assistant", [{ functionCall: { name: "t", args: {} } }])],
    ["a result", said("b", "a", "tool_result", [{ functionResponse: { name: "t", response: {} } }])],
  ])("are reported as unrepaired for %s without an id on another branch", async (_, other) => {
    const { notes, left } = await repaired("qwen-code", lines(prompt, other, active), "anthropic");
    expect(notes).toEqual([
      "repair/branches: the transcript has branches, so only problems inside single messages were corrected",
    ]);
    expect(left).toEqual(["anthropic/tool-id"]);
  });

  test("start at a message that names no parent", async () => {
    const use = { type: "tool_use", id: "t", name: "look", input: {} };
    const result = { type: "tool_result", tool_use_id: "t", name: "look", content: [] };
    const input = JSON.stringify({
      uuid: "c",
      chat_messages: [
        { uuid: "a", sender: "human", content: [{ type: "text", text: "Hi" }] },
        { uuid: "b", parent_message_uuid: "a", sender: "assistant", content: [use] },
        { uuid: "c", parent_message_uuid: "a", sender: "assistant", content: [use, result] },
      ],
    });
    expect(await check(input, { from: "claude-ai" })).toEqual({ dialect: "claude-ai", problems: [] });
  });
});

describe("what is left of a record", () => {
  test("of Claude Code does not name a removed line as its parent", async () => {
    const uuid = (last: number) => `00000001-0000-4000-8000-00000000000${last}`;
    const result = { type: "tool_result", tool_use_id: "gone", content: "x" };
    const { output, left } = await repaired(
      "claude-code",
      lines(
        { type: "assistant", message: { content: [] }, uuid: uuid(1), parentUuid: null },
        { type: "user", message: { content: [result] }, uuid: uuid(2), parentUuid: uuid(1) },
        { type: "system", uuid: uuid(3), parentUuid: uuid(2) },
        { type: "system", uuid: uuid(4), parentUuid: uuid(2) },
      ),
    );
    expect(parsed(output)).toEqual([
      { type: "assistant", message: { content: [] }, uuid: uuid(1), parentUuid: null },
      { type: "system", uuid: uuid(3), parentUuid: uuid(1) },
      { type: "system", uuid: uuid(4), parentUuid: uuid(3) },
    ]);
    expect(left).toEqual([]);
  });

  const said = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] });
  const orphan = { type: "function_call_output", call_id: "gone" };

  test("of Open WebUI has its own id as the key", async () => {
    const messages = {
      a: { role: "assistant", content: "Hi", output: [said("Hi"), orphan] },
      b: { parentId: "a", role: "user", content: "Bye" },
    };
    const { output, left } = await repaired(
      "open-webui",
      JSON.stringify({ chat: { history: { messages } } }),
    );
    expect(JSON.parse(output)).toEqual({
      chat: {
        history: {
          messages: {
            "a/0": { id: "a/0", role: "assistant", content: "Hi", output: [said("Hi")] },
            b: { parentId: "a/0", role: "user", content: "Bye" },
          },
        },
      },
    });
    expect(left).toEqual([]);
  });

  test("of Open WebUI keeps an empty text", async () => {
    const a = { id: "a", parentId: null, role: "assistant", content: "", output: [said(""), orphan] };
    const { output, left } = await repaired(
      "open-webui",
      JSON.stringify({ chat: { history: { messages: { a } } } }),
      "openai-responses",
    );
    expect(JSON.parse(output)).toEqual({
      chat: { history: { messages: { "a/0": { ...a, id: "a/0", output: [said("")] } } } },
    });
    expect(left).toEqual([]);
  });

  test("of a Claude result has no blank text", async () => {
    const use = { type: "tool_use", id: "t", name: "look", input: {} };
    const result = { type: "tool_result", tool_use_id: "t", name: "look", content: " ", is_error: false };
    const said = { uuid: "a", text: "", sender: "assistant" };
    const { output, left } = await repaired(
      "claude-ai",
      JSON.stringify({ uuid: "c", chat_messages: [{ ...said, content: [use, result] }] }),
      "bedrock",
    );
    expect(JSON.parse(output)).toEqual({
      uuid: "c",
      chat_messages: [{ ...said, content: [use, { ...result, content: [] }] }],
    });
    expect(left).toEqual([]);
  });
});
