import { describe, expect, test } from "vitest";
import { repair } from "./repair.js";

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
