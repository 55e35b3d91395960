import { expect, test } from "vitest";
import { bytesOf, everyCut } from "../../test/generate/chunks.js";
import { readSkimmed, type SkimmedEvents, SseSkimmer, skimmedBytes, splitSkimmed } from "./sse-skim.js";

const textOf = (events: SkimmedEvents) => new TextDecoder().decode(skimmedBytes(events));

/** As many events as are read before any is skimmed. */
const first = 'data: {"n":1}\n\n'.repeat(8);

/** A skimmer that has read the first events. */
function started(fields: readonly string[]): SseSkimmer {
  const skimmer = new SseSkimmer(fields);
  expect(skimmer.push(bytesOf(first))).toHaveLength(8);
  return skimmer;
}

/** What the skimmer returns, with skimmed events as their text. */
function pushAll(skimmer: SseSkimmer, text: string): unknown[] {
  return skimmer
    .push(bytesOf(text))
    .map((piece) => ("shape" in piece ? textOf(piece) : [piece.event, piece.data]));
}

/** Every event, skimmed or read, and how many were skimmed. */
function readAll(chunks: readonly Uint8Array[], fields: readonly string[]) {
  const skimmer = started(fields);
  const events: string[][] = [];
  let skimmed = 0;
  for (const piece of chunks.flatMap((chunk) => skimmer.push(chunk))) {
    const read = "shape" in piece ? readSkimmed(piece) : [piece];
    if ("shape" in piece) skimmed += read.length;
    events.push(...read.map(({ event, data }) => [event, data]));
  }
  const last = skimmer.finish();
  return { events: last === undefined ? events : [...events, [last.event, last.data]], skimmed };
}

const stream =
  'data: {"t":"x"}\n\ndata: {"t":"é\\""}\n\n:c\n\ndata: {"t":1}\n\n\nid: 7\ndata: {"t":""}\n\ndata: {"t":"y"}\n\n';
const expected = [
  ["message", '{"t":"x"}'],
  ["message", '{"t":"é\\""}'],
  ["message", '{"t":1}'],
  ["message", '{"t":""}'],
  ["message", '{"t":"y"}'],
];

test.each([
  ["a field", ["t"], 2],
  ["no field", [], 0],
])("%s: no event is lost or read twice, cut anywhere", (_, fields, skimmed) => {
  expect(readAll([bytesOf(stream)], fields).skimmed).toBe(skimmed);
  for (const text of [stream, stream.replaceAll("\n", "\r\n"), stream.slice(0, -1)]) {
    const found = new Set<string>();
    for (const chunks of everyCut(bytesOf(text))) found.add(JSON.stringify(readAll(chunks, fields).events));
    expect([...found].map((events) => JSON.parse(events))).toEqual([expected]);
  }
});

test("the first events of a stream are read", () => {
  const skimmer = new SseSkimmer(["t"]);
  const [event, more] = ['data: {"t":"a"}\n\n', 'data: {"t":"b"}\n\n'];
  expect(pushAll(skimmer, event.repeat(9))).toEqual(
    Array.from({ length: 9 }, () => ["message", '{"t":"a"}']),
  );
  expect(pushAll(skimmer, more)).toEqual([more]);
});

test("an event is skimmed if only the values differ from one that was read", () => {
  const skimmer = started(["t"]);
  expect(
    pushAll(skimmer, 'data: {"t":"a","u":1}\n\ndata: {"t":"b","u":1}\n\ndata: {"t":"c","u":1}\n\n'),
  ).toEqual([["message", '{"t":"a","u":1}'], 'data: {"t":"b","u":1}\n\ndata: {"t":"c","u":1}\n\n']);
  expect(pushAll(skimmer, 'data: {"t":"d","u":2}\n\ndata: {"t":"e","u":1}\n\n')).toEqual([
    ["message", '{"t":"d","u":2}'],
    'data: {"t":"e","u":1}\n\n',
  ]);
});

test.each([
  ["another field within the value's place", 'data: {"t":"b","x":"c","u":1}\n\n'],
  ["another type of value", 'data: {"t":5,"u":1}\n\n'],
  ["other spaces", 'data: {"t": "b","u":1}\n\n'],
  ["the field's text within a value", 'data: {"x":"\\"t\\":\\"b\\",\\"u\\":1","u":1}\n\n'],
  ["another event name", 'event: e\ndata: {"t":"b","u":1}\n\n'],
  ["a further line", 'data: {"t":"b","u":1}\nid: 1\n\n'],
])("an event with %s is read", (_, text) => {
  const skimmer = started(["t"]);
  pushAll(skimmer, 'data: {"t":"a","u":1}\n\n');
  expect(pushAll(skimmer, text)).toEqual([[expect.any(String), expect.any(String)]]);
});

test("a line feed within a value is not skimmed", () => {
  const skimmer = started(["t"]);
  pushAll(skimmer, 'data: {"t":"a"}\n\n');
  expect(pushAll(skimmer, 'data: {"t":"b\nc"}\n\n')).toEqual([["message", '{"t":"b']]);
});

test("an event that may be skimmed waits for its end; any other is read at once", () => {
  const skimmer = started(["t"]);
  expect(pushAll(skimmer, 'data: {"t":"a"}\n\ndata: {"t":"b')).toEqual([["message", '{"t":"a"}']]);
  expect(pushAll(skimmer, 'c"}\n')).toEqual([]);
  expect(pushAll(skimmer, '\ndata: {"t":"d"}\n\n')).toEqual([
    ["message", '{"t":"bc"}'],
    'data: {"t":"d"}\n\n',
  ]);
  expect(pushAll(skimmer, 'data: {"t":"e')).toEqual([]);
  expect(pushAll(skimmer, '"}\n\n')).toEqual(['data: {"t":"e"}\n\n']);
  expect(pushAll(skimmer, 'data: {"t":"f"}\r\n\r\n')).toEqual([["message", '{"t":"f"}']]);
});

test("events of shapes that alternate are skimmed", () => {
  const skimmer = started(["t"]);
  const [a, b] = ['data: {"i":0,"t":"a"}\n\n', 'data: {"i":1,"t":"b"}\n\n'];
  expect(pushAll(skimmer, `${a}${b}`)).toHaveLength(2);
  expect(pushAll(skimmer, `${b}${a}${a}`)).toEqual([b, `${a}${a}`]);
});

test("skimmed events can be read one at a time", () => {
  const skimmer = started(["t"]);
  pushAll(skimmer, 'data: {"t":"a"}\n\n');
  const read: string[] = [];
  const [piece] = skimmer.push(bytesOf('data: {"t":"é"}\n\ndata: {"t":"c"}\n\n'));
  let rest: SkimmedEvents | undefined = piece !== undefined && "shape" in piece ? piece : undefined;
  while (rest !== undefined) {
    const [first, others]: ReturnType<typeof splitSkimmed> = splitSkimmed(rest);
    read.push(...first.map(({ data }) => data));
    rest = others;
  }
  expect(read).toEqual(['{"t":"é"}', '{"t":"c"}']);
});

/** Longer than what is matched event by event. */
const many = Array.from({ length: 600 }, (_, index) => `data: {"t":"x${index}\\"é","u":1}\n\n`).join("");

test.each([
  ["another value outside the field", 'data: {"t":"b","u":2}\n\n'],
  ["another type of value", 'data: {"t":5,"u":1}\n\n'],
  ["a line feed within the value", 'data: {"t":"b\nc","u":1}\n\n'],
  ["a further line", 'data: {"t":"b","u":1}\nid: 1\n\n'],
])("in a long text, only an event with %s is read", (_, other) => {
  const skimmer = started(["t"]);
  const [sample, before, read, after] = pushAll(skimmer, `data: {"t":"a","u":1}\n\n${many}${other}${many}`);
  expect(sample).toEqual(["message", '{"t":"a","u":1}']);
  expect(before).toBe(many);
  expect(read).toEqual(["message", expect.any(String)]);
  expect(after).toBe(many);
});

test("a long text is split after its first event", () => {
  const skimmer = started(["t"]);
  const [, skimmed] = skimmer.push(bytesOf(`data: {"t":"a","u":1}\n\n${many}`));
  if (skimmed === undefined || !("shape" in skimmed)) throw new Error("nothing was skimmed");
  const [first, others] = splitSkimmed(skimmed);
  expect(first.map(({ data }) => data)).toEqual(['{"t":"x0\\"é","u":1}']);
  expect(others && textOf(others)).toBe(many.slice(many.indexOf("data", 1)));
});
