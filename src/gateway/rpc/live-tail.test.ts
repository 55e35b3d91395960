import { expect, test } from "vitest";
import { ChatCount } from "./chat-events.js";
import { type LiveRecord, LiveTail } from "./live-tail.js";

function text(seq: number, delta: string, contentIndex = 0): LiveRecord {
  const assistantMessageEvent = { type: "text_delta" as const, contentIndex, delta };
  return { seq, step: { type: "message_update", assistantMessageEvent } };
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
  expect(tail.since(undefined)).toEqual({
    seq: 0,
    records: [
      { ...text(2, "ab"), fromSeq: 1 },
      { ...text(4, "cd", 1), fromSeq: 3 },
    ],
  });
  expect(tail.since(3).records).toEqual([text(4, "d", 1)]);
  expect(tail.since(4)).toEqual({ seq: 4, records: [] });
});

test("the numbers of text go on where its events do", () => {
  const [tail, chat] = [new LiveTail(), new ChatCount()];
  for (const record of [text(1, "ab"), text(2, "cd"), text(3, "ef")]) {
    const mark = chat.mark(record.step, 1);
    tail.push(mark === undefined ? record : { ...record, chat: mark });
  }
  const { seq, records } = tail.since(1);
  expect({ seq, records }).toEqual({
    seq: 1,
    records: [{ ...text(3, "cdef"), fromSeq: 2, chat: { seq: 3, fromSeq: 2, offset: 2, timestamp: 1 } }],
  });
  expect([chat.seqBefore(records), chat.seqBefore([])]).toEqual([1, 3]);
});

test("of what a tool says only the last is kept, and its number covers the others", () => {
  const tail = tailOf(update(1, "a", "10 %"), update(2, "b", "half"), update(3, "a", "90 %"));
  expect(tail.since(undefined).records).toEqual([
    { ...update(2, "b", "half"), fromSeq: 1 },
    update(3, "a", "90 %"),
  ]);
});

test("what is stored is forgotten but for the last event", () => {
  const tail = tailOf(text(1, "a"), text(2, "b"), {
    seq: 3,
    step: { type: "message_end", message: { role: "assistant" } },
  });
  tail.dropStored();
  expect(tail.since(1)).toMatchObject({ seq: 2, records: [{ seq: 3 }] });
  expect(tail.since(2)).toMatchObject({ seq: 2, records: [{ seq: 3 }] });
  expect(tail.since(3)).toMatchObject({ seq: 3, records: [] });
  expect(tail.since(99)).toMatchObject({ seq: 2, records: [{ seq: 3 }] });
});
