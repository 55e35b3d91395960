import { describe, expect, test } from "vitest";
import { load } from "./detect.js";
import { type ReadMessage, readMessages, sourceOf, type UnreadText } from "./read-messages.js";

async function read(dialect: string, text: string) {
  const source = async function* () {
    yield new TextEncoder().encode(text);
  };
  const messages: ReadMessage[] = [];
  const unread: UnreadText[] = [];
  for await (const some of readMessages(source(), {
    from: await load(dialect),
    onUnread: (one) => unread.push(one),
  })) {
    messages.push(...some);
  }
  return { messages, unread };
}

const first = '{"role":"user","content":"one","timestamp":1}';
const second = '{ "role":"user", "content":"two }", "timestamp":2 }';

describe("messages with their source", () => {
  test("of a file of lines", async () => {
    const { messages } = await read("openclaw", `${first}\n\n${second}\n`);
    expect(messages.map(({ at, line }) => ({ at, line }))).toEqual([
      { at: "/0", line: 1 },
      { at: "/1", line: 3 },
    ]);
    expect(messages.map(sourceOf)).toEqual([
      { text: first, line: 1, column: 1 },
      { text: second, line: 3, column: 1 },
    ]);
  });

  test("of a document", async () => {
    const { messages } = await read(
      "clawtools",
      '[\n  {"role":"user","content":"a"},\n  {"role":"user","content":"]}"}]',
    );
    expect(messages.map(({ at }) => at)).toEqual(["/0", "/1"]);
    expect(messages.map(sourceOf)).toEqual([
      { text: '{"role":"user","content":"a"}', line: 2, column: 3 },
      { text: '{"role":"user","content":"]}"}', line: 3, column: 3 },
    ]);
  });

  test("a recorded stream has none", async () => {
    const { messages } = await read(
      "anthropic",
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"x","usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
    );
    expect(messages.map(({ message }) => message.role)).toEqual(["assistant"]);
    expect(messages.map(sourceOf)).toEqual([undefined]);
  });
});

describe("what cannot be read", () => {
  test("is handed over with its text, and the rest is read", async () => {
    const { messages, unread } = await read("openclaw", `${first}\n{"role":"us\n${second}\n`);
    expect(messages.map(({ at }) => at)).toEqual(["/0", "/2"]);
    expect(unread).toMatchObject([
      { at: "/1", line: 2, text: '{"role":"us', error: { code: "json/syntax", line: 2, column: 12 } },
    ]);
  });

  test("so is a record that is not a message", async () => {
    const bad = '{"role":"user","content":7,"timestamp":1}';
    const { messages, unread } = await read("openclaw", `${bad}\n${first}\n`);
    expect(messages.map(({ at }) => at)).toEqual(["/1"]);
    expect(unread).toMatchObject([
      {
        at: "/0",
        line: 1,
        text: bad,
        error: { code: "model/invalid", at: "/0/content", line: 1, column: 26 },
      },
    ]);
  });
});
