import { describe, expect, test } from "vitest";
import { notebook } from "../../test/generate/document-dialect.js";
import { repair } from "./repair.js";
import { repairBytes } from "./repair-bytes.js";

describe("frames", () => {
  const frame = (end: number, rest: string) => `{"i":"01JHN5Y1J0000000000000000${end}",${rest}}`;
  const error = '{"c":"error","code":"server_error"}';
  const [start, part, end] = [
    frame(1, '"m":{"type":"agent"}'),
    frame(1, '"a":"Hi"'),
    frame(1, '"v":null'),
  ] as const;
  const both = frame(2, '"c":"error"');
  const kept = [
    frame(3, '"m":{"type":"user"}'),
    frame(3, '"t":"2025-01-15T14:30:00.000Z","v":{"type":"user","content":"Hi"}'),
  ];
  const call = frame(
    4,
    '"t":"2025-01-15T14:30:01.000Z","v":{"type":"tool_call","toolCallId":"c1","name":"read","arguments":{}}',
  );

  test("that say nothing in the output are set aside when it is written anew", async () => {
    const input = [error, start, part, end, both, ...kept, call].join("\n");
    const { changes, unplaced, notes, output } = await repair(input, { from: "timbal" });
    expect(changes.map(({ code }) => code)).toEqual(["pairing/unanswered"]);
    const deleted = "the agent message 01JHN5Y1J00000000000000001: a later frame deletes it";
    expect(unplaced).toEqual([
      { line: 1, text: error, why: "the frame: a control frame is not part of the transcript" },
      { line: 2, text: start, why: deleted },
      { line: 3, text: part, why: deleted },
      { line: 4, text: end, why: deleted },
      { line: 5, text: both, why: "the frame: it has both i and c" },
    ]);
    expect(notes.map(({ line, code, message }) => `${line} ${code} ${message}`)).toEqual([]);
    expect(output.split("\n").slice(0, 2)).toEqual([kept[1], call]);
    expect((await repair(output, { from: "timbal" })).output).toBe(output);
  });

  test("stay as they are when nothing else is to be repaired", async () => {
    const input = [error, start, part, end, ...kept].join("\n");
    const rest = { changes: [], unplaced: [], notes: [] };
    expect(await repair(input, { from: "timbal" })).toEqual({ output: input, from: "timbal", ...rest });
  });
});

describe("a document", () => {
  const fixed = (text: string) => {
    const { output, ...rest } = repairBytes(new TextEncoder().encode(text), notebook);
    return { ...rest, output: output === text ? "as it was" : JSON.parse(output) };
  };

  test("has its known mistakes mended", () => {
    expect(fixed('{"messages":[{"role":"user","text":"hi"}]}')).toEqual({
      output: { messages: [{ role: "user", content: "hi" }] },
      changes: [
        {
          at: "/messages/0",
          line: 1,
          column: 14,
          code: "notebook/mended",
          what: "renamed text to content",
          before: { role: "user", text: "hi" },
          after: { role: "user", content: "hi" },
        },
      ],
      unplaced: [],
      notes: [],
    });
  });

  test("that needs mending and pairing in one record needs one run", async () => {
    const asks =
      '{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{}}]}';
    const input = `[${asks},{"role":"toolResult","content":"ok"}]`;
    const { output, changes } = await repair(input, { from: "clawtools" });
    expect(changes.map(({ code }) => code)).toEqual([
      "clawtools/mended",
      "pairing/empty-id",
      "pairing/name-mismatch",
    ]);
    const content = [{ type: "text", text: "ok" }];
    expect(JSON.parse(output)[1]).toEqual({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "read",
      content,
      isError: false,
    });
    expect(await repair(output, { from: "clawtools" })).toMatchObject({ output, changes: [] });
  });

  test("that breaks off keeps all that is whole", () => {
    const torn = '{"messages":[\n {"role":"user","content":"a"},\n {"role":"user","content":"b';
    expect(fixed(torn)).toEqual({
      output: { messages: [{ role: "user", content: "a" }] },
      changes: [],
      unplaced: [
        {
          line: 3,
          text: '{"role":"user","content":"b',
          why: "expected the rest of the string, found the end of the text",
        },
      ],
      notes: [],
    });
  });

  const unread = [
    { line: 2, text: "7", why: "expected an object for each message, found a number" },
    { line: 4, text: "null", why: "expected an object for each message, found null" },
  ];

  test("keeps its messages when something else stands among them", () => {
    const mixed = '{"messages":[\n7,\n{"role":"user","content":"a"},\nnull]}';
    const output = { messages: [{ role: "user", content: "a" }] };
    expect(fixed(mixed)).toEqual({ output, changes: [], unplaced: unread, notes: [] });
    const torn = mixed.slice(0, -2);
    expect(fixed(torn)).toMatchObject({ output, changes: [{ code: "json/syntax" }], unplaced: unread });
  });

  test.each([
    '{"messages":[{"role":"user","content":"a"},',
    '{"messages":[{"role":"user","content":"a"}',
    '{"messages":[{"role":"user","content":"a"}]\n',
  ])("%s is closed", (text) => {
    const { output, changes, unplaced } = fixed(text);
    expect(output).toEqual({ messages: [{ role: "user", content: "a" }] });
    expect(changes.map(({ code, what }) => `${code} ${what}`)).toEqual([
      "json/syntax closed the truncated document here",
    ]);
    expect(unplaced).toEqual([]);
  });

  test.each([
    ['{"messages":[{"role":"user","content":"a"}],"title":"Ab', '"Ab'],
    ['{"messages":[{"role":"user","content":"a"}],"ti', '"ti'],
    ['{"messages":[{"role":"user","content":"a"}],"ok":tr', "tr"],
    ['{"messages":[{"role":"user","content":"a"}],"x":{"y":[1', '{"y":[1'],
    [
      '{"messages":[{"role":"user","content":"a"} oops {"role":"user","content":"b"}]}',
      'oops {"role":"user","content":"b"}]}',
    ],
  ])("%s", (text, rest) => {
    const { output, unplaced } = fixed(text);
    expect(output).toEqual({ messages: [{ role: "user", content: "a" }] });
    expect(unplaced.map((one) => one.text)).toEqual([rest]);
  });

  test("in which nothing is whole stays an error", () => {
    expect(() => fixed('{"messages":[{"role":"us')).toThrow("expected the rest of the string");
    expect(() => fixed("oops")).toThrow("expected a value, found o");
  });

  test("that is sound is not touched", () => {
    const text = '{"messages":[{"role":"user","content":"a"}],"title":"kept"}';
    expect(fixed(text).output).toBe("as it was");
  });
});

test("a document whose messages are keys of an object loses only the one that breaks off", async () => {
  const node = (id: string, parent: string | null, text: string) =>
    `"${id}":{"id":"${id}","parent":${JSON.stringify(parent)},"children":[],"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["${text}"]}}}`;
  const whole = `{"current_node":"b","mapping":{${node("a", null, "One")},${node("b", "a", "Two")}`;
  const torn = node("c", "a", "Three").slice(0, -12);
  const { output, unplaced } = await repair(`${whole},${torn}`, { from: "chatgpt" });
  expect(JSON.parse(output)).toEqual(JSON.parse(`${whole}}}`));
  expect(unplaced.map(({ text }) => text)).toEqual([torn.slice('"c":'.length)]);
});
