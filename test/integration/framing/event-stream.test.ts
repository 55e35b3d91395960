import { EventStreamCodec } from "@smithy/eventstream-codec";
import type { Message, MessageHeaders } from "@smithy/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../../src/core/error.js";
import {
  EventStreamReader,
  formatStreamMessage,
  type StreamMessage,
} from "../../../src/framing/event-stream.js";
import { formatEvent, messageText } from "../../../src/framing/event-stream-payload.js";

/** The codec of the AWS SDKs. */
const codec = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes),
  (text) => new TextEncoder().encode(text),
);

const text = (value: string) => new TextEncoder().encode(value);
const event = (name: string, payload: string): Message => ({
  headers: {
    ":event-type": { type: "string", value: name },
    ":content-type": { type: "string", value: "application/json" },
    ":message-type": { type: "string", value: "event" },
  },
  body: text(payload),
});

function read(bytes: Uint8Array, size = bytes.length): StreamMessage[] {
  const reader = new EventStreamReader();
  const messages: StreamMessage[] = [];
  for (let at = 0; at < bytes.length; at += size) messages.push(...reader.push(bytes.slice(at, at + size)));
  reader.finish();
  return messages;
}

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

describe("what AWS writes, we read", () => {
  test("every type of header", () => {
    const headers: MessageHeaders = {
      yes: { type: "boolean", value: true },
      no: { type: "boolean", value: false },
      byte: { type: "byte", value: -5 },
      short: { type: "short", value: -300 },
      integer: { type: "integer", value: 70_000 },
      binary: { type: "binary", value: Uint8Array.of(1, 2, 3) },
      string: { type: "string", value: "é" },
      uuid: { type: "uuid", value: "01020304-0506-0708-090a-0b0c0d0e0f10" },
    };
    const [message] = read(codec.encode({ headers, body: text("body") }));
    expect([...(message?.headers ?? [])]).toEqual([
      ["yes", true],
      ["no", false],
      ["byte", -5],
      ["short", -300],
      ["integer", 70_000],
      ["binary", Uint8Array.of(1, 2, 3)],
      ["string", "é"],
      ["uuid", Uint8Array.from({ length: 16 }, (_, index) => index + 1)],
    ]);
    expect(new TextDecoder().decode(message?.payload)).toBe("body");
  });

  test("several messages, in chunks of any size", () => {
    const bytes = joined(
      codec.encode(event("messageStart", '{"role":"assistant"}')),
      codec.encode(event("contentBlockDelta", '{"contentBlockIndex":0,"delta":{"text":"é😀"}}')),
      codec.encode(event("messageStop", "")),
    );
    for (let size = 1; size <= bytes.length; size++) {
      expect(read(bytes, size).map(messageText)).toEqual([
        '{"messageStart":{"role":"assistant"}}',
        '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"é😀"}}}',
        '{"messageStop":{}}',
      ]);
    }
  });

  test("exceptions, and errors without a model", () => {
    const exception: MessageHeaders = {
      ":exception-type": { type: "string", value: "throttlingException" },
      ":message-type": { type: "string", value: "exception" },
    };
    const error: MessageHeaders = {
      ":message-type": { type: "string", value: "error" },
      ":error-code": { type: "string", value: "InternalFailure" },
      ":error-message": { type: "string", value: "it broke" },
    };
    const bytes = joined(
      codec.encode({ headers: exception, body: text('{"message":"slow down"}') }),
      codec.encode({ headers: error, body: new Uint8Array() }),
    );
    expect(read(bytes).map(messageText)).toEqual([
      '{"throttlingException":{"message":"slow down"}}',
      '{"error":{"code":"InternalFailure","message":"it broke"}}',
    ]);
  });
});

test("what we write, AWS reads", () => {
  let messages = 0;
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.json(), (name, json) => {
      const { headers, body } = codec.decode(formatEvent(name, JSON.parse(json)));
      const type = name.endsWith("Exception") ? "exception" : "event";
      expect(headers[`:${type}-type`]).toEqual({ type: "string", value: name });
      expect(headers[":message-type"]).toEqual({ type: "string", value: type });
      expect(headers[":content-type"]).toEqual({ type: "string", value: "application/json" });
      expect(JSON.parse(new TextDecoder().decode(body))).toEqual(JSON.parse(json));
      messages++;
    }),
  );
  expect(messages).toBe(100);
});

test("the same message has the same bytes", () => {
  const message = { headers: new Map([[":event-type", "x"]]), payload: text("{}") };
  const theirs = codec.encode({
    headers: { ":event-type": { type: "string", value: "x" } },
    body: text("{}"),
  });
  expect(formatStreamMessage(message)).toEqual(theirs);
});

describe("a damaged stream", () => {
  const whole = codec.encode(event("messageStart", '{"role":"assistant"}'));

  test("with any bit changed is refused, and never read as something else", () => {
    let refused = 0;
    for (let at = 0; at < whole.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = whole.slice();
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        expect(() => read(damaged)).toThrow(DragomanError);
        refused++;
      }
    }
    expect(refused).toBe(whole.length * 8);
  });

  test("gives what came before the damage first", () => {
    const damaged = whole.slice();
    damaged[20] = 0;
    const reader = new EventStreamReader();
    expect(reader.push(joined(whole, damaged)).map(messageText)).toEqual([
      '{"messageStart":{"role":"assistant"}}',
    ]);
    expect(() => reader.push(whole)).toThrow("the checksum is wrong");
    expect(() => reader.finish()).toThrow("the checksum is wrong");
  });

  test("that ends within a message says so", () => {
    for (let length = 1; length < whole.length; length++) {
      expect(() => read(whole.slice(0, length))).toThrow("the stream ended within a message");
    }
  });

  test("with a message that is too long is refused before it has arrived", () => {
    const bytes = whole.slice(0, 12);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 2 ** 30);
    expect(() => read(bytes)).toThrow(DragomanError);
  });
});
