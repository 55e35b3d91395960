import { expect, test } from "vitest";
import { type LiveRecord, LiveTail } from "./live-tail.js";

function text(seq: number, words: string, contentIndex = 0): LiveRecord {
  return { seq, step: { type: "text_delta", contentIndex, text: words } };
}

function update(seq: number, toolCallId: string, partialResult: string): LiveRecord {
  return { seq, step: { type: "tool_execution_update", toolCallId, toolName: "exec", partialResult } };
}

function tailOf(...records: LiveRecord[]): LiveTail {
  const tail = new LiveTail();
  for (const record of records) tail.push(record);
  return tail;
}

test("deltas of one block are joined, whatever the place one goes on from", () => {
  const tail = tailOf(text(1, "a"), text(2, "b"), text(3, "c", 1), text(4, "d", 1));
  expect(tail.from(undefined)).toEqual({
    seq: 0,
    chatSeq: 0,
    records: [
      { seq: 2, fromSeq: 1, step: { type: "text_delta", contentIndex: 0, text: "ab" } },
      { seq: 4, fromSeq: 3, step: { type: "text_delta", contentIndex: 1, text: "cd" } },
    ],
  });
  expect(tail.from(3).records).toEqual([text(4, "d", 1)]);
  expect(tail.from(4)).toEqual({ seq: 4, chatSeq: 0, records: [] });
});

test("the numbers of text go on where its events do", () => {
  const tail = new LiveTail();
  const said = (seq: number, words: string, offset: number): LiveRecord => ({
    ...text(seq, words),
    chat: { seq: tail.nextChatSeq(), offset, text: words, timestamp: 1 },
  });
  for (const record of [said(1, "ab", 0), said(2, "cd", 2), said(3, "ef", 4)]) tail.push(record);
  expect(tail.from(1)).toEqual({
    seq: 1,
    chatSeq: 1,
    records: [
      {
        seq: 3,
        fromSeq: 2,
        step: { type: "text_delta", contentIndex: 0, text: "cdef" },
        chat: { seq: 3, fromSeq: 2, offset: 2, text: "cdef", timestamp: 1 },
      },
    ],
  });
});

test("of what a tool says only the last is kept, and its number covers the others", () => {
  const tail = tailOf(update(1, "a", "10 %"), update(2, "b", "half"), update(3, "a", "90 %"));
  expect(tail.from(undefined).records).toEqual([
    { ...update(2, "b", "half"), fromSeq: 1 },
    update(3, "a", "90 %"),
  ]);
});

test("what is stored is forgotten but for the last event", () => {
  const tail = tailOf(text(1, "a"), text(2, "b"), {
    seq: 3,
    step: { type: "message_end", role: "assistant" },
  });
  tail.settle();
  expect(tail.from(1)).toMatchObject({ seq: 2, records: [{ seq: 3 }] });
  expect(tail.from(2)).toMatchObject({ seq: 2, records: [{ seq: 3 }] });
  expect(tail.from(3)).toMatchObject({ seq: 3, records: [] });
  expect(tail.from(99)).toMatchObject({ seq: 2, records: [{ seq: 3 }] });
});
