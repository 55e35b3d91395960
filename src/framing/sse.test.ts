import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, cutAt, everyCut, oneByOne, positionsWithin } from "../../test/generate/chunks.js";
import { MAX_EVENT_LENGTH, readSse, type SseEvent, type SseOptions, SseReader } from "./sse.js";
import { formatComment, formatSse } from "./sse-format.js";

/** The closed events, and the one the stream broke off in. */
function read(chunks: Uint8Array[], options?: SseOptions): { events: SseEvent[]; unfinished?: SseEvent } {
  const reader = new SseReader(options);
  const events = chunks.flatMap((chunk) => reader.push(chunk));
  const unfinished = reader.finish();
  return unfinished === undefined ? { events } : { events, unfinished };
}

function message(data: string, rest: Partial<SseEvent> = {}): SseEvent {
  return { event: "message", data, id: "", ...rest };
}

const cases: { name: string; text: string; events: SseEvent[]; unfinished?: SseEvent }[] = [
  { name: "nothing", text: "", events: [] },
  {
    name: "the standard's stock ticker",
    text: "data: YHOO\ndata: +2\ndata: 10\n\n",
    events: [message("YHOO\n+2\n10")],
  },
  {
    name: "the standard's test stream with comment and ids",
    text: ": test stream\n\ndata: first\nid: 1\n\ndata:second\nid\n\ndata:  third",
    events: [message("first", { id: "1" }), message("second")],
    unfinished: message(" third"),
  },
  {
    name: "the standard's empty data",
    text: "data\n\ndata\ndata\n\ndata:",
    events: [message(""), message("\n")],
    unfinished: message(""),
  },
  {
    name: "the standard's optional space",
    text: "data:test\n\ndata: test\n\n",
    events: [message("test"), message("test")],
  },
  {
    name: "a provider's stream",
    text: 'event: ping\ndata: {"a":1}\n\nevent: stop\ndata: {}\n\n',
    events: [message('{"a":1}', { event: "ping" }), message("{}", { event: "stop" })],
  },
  {
    name: "CR",
    text: "event: a\rdata: 1\r\rdata: 2\r\r",
    events: [message("1", { event: "a" }), message("2")],
  },
  {
    name: "CRLF",
    text: "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n",
    events: [message("1", { event: "a" }), message("2")],
  },
  {
    name: "mixed line endings",
    text: "data: 1\rdata: 2\r\ndata: 3\n\r\ndata: 4\n\rdata: 5\r\n\n",
    events: [message("1\n2\n3"), message("4"), message("5")],
  },
  { name: "CR at the end", text: "data: 1\n\r", events: [message("1")] },
  { name: "a byte order mark", text: "\ufeffdata: 1\n\n", events: [message("1")] },
  { name: "a second byte order mark", text: "\ufeff\ufeffdata: 1\n\ndata: 2\n\n", events: [message("2")] },
  { name: "a byte order mark in data", text: "data: \ufeff1\n\n", events: [message("\ufeff1")] },
  {
    name: "an id that sticks",
    text: "id: 7\ndata: 1\n\ndata: 2\n\n",
    events: [message("1", { id: "7" }), message("2", { id: "7" })],
  },
  { name: "an id without data", text: "id: 7\nevent: x\n\ndata: 1\n\n", events: [message("1", { id: "7" })] },
  { name: "an id with NUL", text: "id: 1\nid: 2\0\ndata: 1\n\n", events: [message("1", { id: "1" })] },
  {
    name: "a retry",
    text: "retry: 0250\ndata: 1\n\ndata: 2\n\n",
    events: [message("1", { retry: 250 }), message("2")],
  },
  { name: "a retry without data", text: "retry: 5\n\ndata: 1\n\n", events: [message("1", { retry: 5 })] },
  {
    name: "bad retries",
    text: "retry: -1\nretry:1.5\nretry:\nretry: 1 \nretry: \u0661\ndata: 1\n\n",
    events: [message("1")],
  },
  {
    name: "a huge retry",
    text: `retry: ${"9".repeat(30)}\ndata: 1\n\n`,
    events: [message("1", { retry: 9007199254740991 })],
  },
  {
    name: "unknown fields",
    text: "foo: 1\nDATA: 2\n data: 3\ndatax: 4\ndat: 5\nevents: 6\ndata: 7\n\n",
    events: [message("7")],
  },
  { name: "colons in the value", text: "data::: a\n\n", events: [message(":: a")] },
  { name: "an empty event name", text: "event: x\nevent\ndata: 1\n\n", events: [message("1")] },
  {
    name: "characters of every length",
    text: "data: \u00fc\u20ac\u{1f600}\n\n",
    events: [message("\u00fc\u20ac\u{1f600}")],
  },
  {
    name: "an end inside an event name",
    text: "data: 1\nevent: ab",
    events: [],
    unfinished: message("1", { event: "ab" }),
  },
  { name: "an end without data", text: "data: 1\n\nevent: ab", events: [message("1")] },
];

test.each(cases)("$name, cut anywhere", ({ name: _, text, ...expected }) => {
  for (const chunks of everyCut(bytesOf(text))) expect(read(chunks)).toEqual(expected);
});

test("malformed UTF-8 becomes U+FFFD, cut anywhere", () => {
  for (const chunks of everyCut(Uint8Array.of(...bytesOf("data: a"), 0xe2, 0x82, 0x0a, 0x0a))) {
    expect(read(chunks)).toEqual({ events: [message("a\ufffd")] });
  }
  expect(read([Uint8Array.of(...bytesOf("data: a"), 0xe2)])).toEqual({
    events: [],
    unfinished: message("a\ufffd"),
  });
});

test("an event is handed over by the chunk that closes it", () => {
  const reader = new SseReader();
  expect(reader.push(bytesOf("data: 1\r"))).toEqual([]);
  expect(reader.push(bytesOf("\n\r"))).toEqual([message("1")]);
  expect(reader.push(bytesOf("\n"))).toEqual([]);
  expect(reader.finish()).toBeUndefined();
});

test("comments go to onComment, without one space", () => {
  const comments: string[] = [];
  const options: SseOptions = { onComment: (text) => comments.push(text) };
  expect(read([bytesOf(`: a\n:b\ndata: 1\n:\n:  c\n\n${formatComment("x\r\ny")}`)], options).events).toEqual([
    message("1"),
  ]);
  expect(comments).toEqual(["a", "b", "", " c", "x", "y"]);
});

test("data of 1 MB in chunks of one byte, and in lines of one", () => {
  const long = read(oneByOne(bytesOf(`data: ${"x".repeat(1_000_000)}\n\n`)));
  expect(long.events.map((event) => event.data.length)).toEqual([1_000_000]);
  for (const end of ["\n", "\r", "\r\n"]) {
    const many = read([bytesOf(`data:x${end}`.repeat(500_000) + end)]);
    expect(many.events.map((event) => event.data.length)).toEqual([999_999]);
  }
});

test("the default limit is 64 Mi units", () => expect(MAX_EVENT_LENGTH).toBe(67_108_864));

test("an event at the limit passes", () => {
  for (const chunks of everyCut(bytesOf("data:1234\ndata:\n\n"))) {
    expect(read(chunks, { maxEventLength: 9 }).events).toEqual([message("1234\n")]);
  }
});

test.each([
  ["one line", "data: 1\n\ndata:12345\n\ndata: 2\n\n", 3],
  ["two lines", "data: 1\n\ndata:12345\ndata:12345\n\n", 4],
  ["an unfinished line", "data: 1\n\ndata:12345", 3],
  ["a comment", "data: 1\n\n:123456789", 3],
])("an event over the limit fails after the events before it: %s", (name, text, line) => {
  const maxEventLength = name === "two lines" ? 14 : 9;
  for (const chunks of everyCut(bytesOf(text))) {
    const reader = new SseReader({ maxEventLength });
    const seen: SseEvent[] = [];
    const reading = () => {
      for (const chunk of chunks) seen.push(...reader.push(chunk));
      reader.finish();
    };
    expect(reading).toThrow(expect.objectContaining({ code: "framing/event-too-long", line }));
    expect(seen).toEqual([message("1")]);
    expect(reader.failure).toBeDefined();
  }
});

test("a failure with nothing before it is thrown at once, and again", () => {
  const reader = new SseReader({ maxEventLength: 3 });
  expect(() => reader.push(bytesOf("data"))).toThrow("the event at line 1 is longer than 3 UTF-16 units");
  expect(() => reader.push(bytesOf("\n"))).toThrow("the event at line 1 is longer than 3 UTF-16 units");
  expect(() => reader.finish()).toThrow("the event at line 1 is longer than 3 UTF-16 units");
});

test("a stream gives its events, the unfinished one last", async () => {
  async function* source() {
    yield bytesOf("data: 1\n\nda");
    yield bytesOf("ta: 2\n\ndata: 3\n");
  }
  const seen: string[] = [];
  for await (const event of readSse(source())) seen.push(event.data);
  expect(seen).toEqual(["1", "2", "3"]);
});

test("a stream fails without waiting for the next chunk", async () => {
  let asked = 0;
  async function* source() {
    for (const text of ["data: 1\n\ndata: too long", "\n\n"]) {
      asked++;
      yield bytesOf(text);
    }
  }
  const seen: string[] = [];
  const reading = async () => {
    for await (const event of readSse(source(), { maxEventLength: 10 })) seen.push(event.data);
  };
  await expect(reading).rejects.toMatchObject({ code: "framing/event-too-long", line: 3 });
  expect(seen).toEqual(["1"]);
  expect(asked).toBe(1);
});

test("any events, written and cut anywhere, are read back", () => {
  let cutInside = 0;
  let severalLines = 0;
  const text = fc.string({ unit: fc.constantFrom("a", ":", " ", "\u00fc", "\u{1f600}", "\ufeff") });
  const data = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", ":", " ", "\n", "\u20ac", "\u{1f600}", "data:") }),
    fc.string({ unit: "binary" }).filter((value) => !value.includes("\r")),
  );
  const event = fc.record({
    event: text.filter((name) => name !== ""),
    data,
    id: text,
    retry: fc.nat(),
  });
  const law = fc.property(
    fc.array(event, { minLength: 1, maxLength: 5 }),
    fc.array(fc.nat(), { maxLength: 6 }),
    (events, numbers) => {
      const bytes = bytesOf(events.map(formatSse).join(""));
      const cuts = positionsWithin(bytes, numbers);
      if (cuts.some((cut) => cut > 0 && cut < bytes.length)) cutInside++;
      if (events.some((each) => each.data.includes("\n"))) severalLines++;
      expect(read(cutAt(bytes, cuts))).toEqual({ events });
    },
  );
  fc.assert(law, { numRuns: 1000 });
  expect(cutInside).toBeGreaterThan(500);
  expect(severalLines).toBeGreaterThan(300);
});
