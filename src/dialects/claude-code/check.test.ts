import { describe, expect, test } from "vitest";
import { check } from "../../convert/check.js";
import { repair } from "../../convert/repair.js";
import type { JsonRecord } from "../../core/dialect.js";

const id = (number: number) => `0000000${number}-0000-4000-8000-00000000000${number}`;

function line(number: number, fields: object = {}): JsonRecord {
  return {
    parentUuid: number === 1 ? null : id(number - 1),
    isSidechain: false,
    sessionId: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
    type: "user",
    message: { role: "user", content: `Message ${number}` },
    uuid: id(number),
    timestamp: `2026-03-02T09:00:0${number}.000Z`,
    ...fields,
  };
}

const answer = (number: number, content: unknown, fields: object = {}) =>
  line(number, {
    type: "assistant",
    message: { id: `msg_${number}`, role: "assistant", model: "m", content, ...fields },
  });
const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };

const textOf = (lines: readonly JsonRecord[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join("");

async function codesIn(lines: readonly JsonRecord[]): Promise<string[]> {
  const { problems } = await check(textOf(lines), { from: "claude-code" });
  return problems.map(({ at, code }) => `${at} ${code}`);
}

describe("check", () => {
  test("a sound session has no problems", async () => {
    const results = line(3, { message: { role: "user", content: [result] } });
    const loose = { type: "mode", mode: "normal" };
    expect(
      await codesIn([line(1), loose, answer(2, [call]), results, answer(4, [{ type: "text", text: "x" }])]),
    ).toEqual([]);
  });

  test.each<[string, JsonRecord[], string[]]>([
    ["a missing timestamp", [line(1, { timestamp: undefined })], ["/0 claude-code/bad-time"]],
    ["a timestamp in numbers", [line(1, { timestamp: 1 })], ["/0/timestamp claude-code/bad-time"]],
    ["an id that is not a UUID", [line(1, { uuid: "one" })], ["/0/uuid claude-code/bad-uuid"]],
    ["a line without an id", [line(1, { uuid: undefined })], ["/0 claude-code/bad-uuid"]],
    ["a line without a parent", [line(1, { parentUuid: undefined })], ["/0 claude-code/no-parent"]],
    ["a missing parent", [line(1), line(2, { parentUuid: id(9) })], ["/1 tree/missing-parent"]],
    ["a cycle", [line(1, { parentUuid: id(2) }), line(2)], ["/0 tree/cycle"]],
    ["an unanswered call", [line(1), answer(2, [call])], ["/1 pairing/unanswered"]],
    [
      "a result without its call",
      [line(1), line(2, { message: { role: "user", content: [result] } })],
      ["/1 pairing/orphan-result"],
    ],
    [
      "an answer without an id",
      [line(1), answer(2, [{ type: "text", text: "x" }], { id: undefined })],
      ["/1/message claude-code/no-message-id"],
    ],
    ["an answer as text", [line(1), answer(2, "x")], ["/1/message/content claude-code/string-content"]],
    [
      "unsigned thinking",
      [line(1), answer(2, [{ type: "thinking", thinking: "x" }])],
      ["/1/message/content/0 claude-code/unsigned-thinking"],
    ],
    [
      "a call without an id",
      [line(1), answer(2, [{ ...call, id: undefined }])],
      ["/1/message/content/0 claude-code/bad-call"],
    ],
    [
      "a call id that the API refuses",
      [
        line(1),
        answer(2, [{ ...call, id: "a.b" }]),
        line(3, { message: { role: "user", content: [{ ...result, tool_use_id: "a.b" }] } }),
      ],
      [
        "/1/message/content/0/id claude-code/bad-call-id",
        "/2/message/content/0/tool_use_id claude-code/bad-call-id",
      ],
    ],
    ["an unknown type", [line(1), { type: "tomorrow" }], ["/1/type claude-code/unknown-type"]],
  ])("%s", async (_, lines, codes) => {
    expect(await codesIn(lines)).toEqual(codes);
  });
});

describe("repair", () => {
  async function repaired(lines: readonly JsonRecord[]) {
    const { output, changes } = await repair(textOf(lines), { from: "claude-code" });
    const written: JsonRecord[] = output
      .split("\n")
      .filter((text) => text !== "")
      .map((text) => JSON.parse(text));
    return { lines: written, changes: changes.map(({ code }) => code) };
  }

  test("writes a time as text", async () => {
    const { lines, changes } = await repaired([line(1, { timestamp: 1_772_442_001_000 })]);
    expect(lines).toEqual([line(1, { timestamp: "2026-03-02T09:00:01.000Z" })]);
    expect(changes).toEqual(["claude-code/mended"]);
  });

  test("writes call ids that the API accepts, so that an added result finds its call", async () => {
    const result = { type: "tool_result", tool_use_id: "a~b", content: "found" };
    const answered = { type: "user", message: { role: "user", content: [result] } };
    const odd = [{ ...call, id: "a~b" }];
    const { lines } = await repaired([
      line(1),
      answer(2, odd),
      line(3, answered),
      answer(4, [{ ...call, id: "~" }]),
    ]);
    expect(lines[1]).toEqual(answer(2, [{ ...call, id: "a_b_31529a9c" }]));
    expect(lines[2]).toMatchObject({ message: { content: [{ ...result, tool_use_id: "a_b_31529a9c" }] } });
    expect(lines[3]).toEqual(answer(4, [{ ...call, id: "__fb0c4d61" }]));
    expect(lines[4]).toMatchObject({ message: { content: [{ tool_use_id: "__fb0c4d61", is_error: true }] } });
    const { problems } = await check(textOf(lines), { from: "claude-code" });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("writes an answer's text as a block, and a call's input as an object", async () => {
    const { lines } = await repaired([line(1), answer(2, "x"), answer(3, [{ ...call, input: '{"a":1}' }])]);
    expect(lines.slice(0, 3)).toEqual([
      line(1),
      answer(2, [{ type: "text", text: "x" }]),
      answer(3, [{ ...call, input: { a: 1 } }]),
    ]);
    expect(lines[3]).toMatchObject({
      parentUuid: id(3),
      type: "user",
      sessionId: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
      message: { role: "user", content: [{ tool_use_id: "toolu_1", type: "tool_result", is_error: true }] },
    });
  });

  test("links a line with a missing parent to the line before it", async () => {
    const { lines, changes } = await repaired([line(1), line(2, { parentUuid: id(9) }), line(3)]);
    expect(lines).toEqual([line(1), line(2), line(3)]);
    expect(changes).toEqual(["tree/missing-parent"]);
  });
});
