import { IncrementalJson, SseReader } from "dragoman/framing";
import type { Case, Work } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { type Aimed, growth, sizeName } from "../support/growth.js";
import { cut, sourceText } from "../support/source-text.js";

const SIZES = [10_000, 100_000, 1_000_000];
const DELTA_BYTES = 20;
const CHUNK_BYTES = 16 * 1024;

interface Contender {
  name: string;
  label: string;
  read(chunks: readonly Uint8Array[]): unknown;
  /** The aim: at most this many times the floor's cost. */
  atMost?: number;
  ours?: boolean;
  largest?: number;
}

const contenders: Contender[] = [
  { name: "floor", label: "floor: concatenate, parse at the end", read: floor },
  { name: "unseen", label: "dragoman, nobody looks", read: unseen, ours: true, atMost: 1.5 },
  { name: "seen", label: "dragoman, a look at every delta", read: seen, ours: true, atMost: 2.5 },
  { name: "jsonriver", label: "jsonriver, a look at every delta", read: jsonriver },
  // It reads everything again at every delta, so 1 MB would take minutes.
  { name: "partial-json", label: "partial-json, a look at every delta", read: partialJson, largest: 100_000 },
];

interface DeltaEvent {
  delta: { partial_json: string };
}

/** A tool call that writes a file, as sent by the provider. */
function streamOf(size: number): Uint8Array[] {
  const json = JSON.stringify({ path: "src/load.ts", line: 1, overwrite: true, text: sourceText(size) });
  const events = cut(json, DELTA_BYTES).map((partial_json) => {
    const data = { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } };
    return `event: content_block_delta\ndata: ${JSON.stringify(data)}\n\n`;
  });
  const bytes = new TextEncoder().encode(events.join(""));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.slice(at, at + CHUNK_BYTES));
  return chunks;
}

/** The smallest program that reads such a stream. */
function eachDelta(chunks: readonly Uint8Array[], take: (delta: string) => void): void {
  const decoder = new TextDecoder();
  let rest = "";
  for (const chunk of chunks) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const parsed: DeltaEvent = JSON.parse(event.slice(event.indexOf("data: ") + 6));
      take(parsed.delta.partial_json);
    }
  }
}

function floor(chunks: readonly Uint8Array[]): unknown {
  let json = "";
  eachDelta(chunks, (delta) => {
    json += delta;
  });
  return JSON.parse(json);
}

function unseen(chunks: readonly Uint8Array[]): unknown {
  const reader = new SseReader();
  const json = new IncrementalJson();
  for (const chunk of chunks) {
    for (const { data } of reader.push(chunk)) {
      const parsed: DeltaEvent = JSON.parse(data);
      json.push(parsed.delta.partial_json);
    }
  }
  return json.finish();
}

function seen(chunks: readonly Uint8Array[]): unknown {
  const reader = new SseReader();
  const json = new IncrementalJson();
  let longest = 0;
  for (const chunk of chunks) {
    for (const { data } of reader.push(chunk)) {
      const parsed: DeltaEvent = JSON.parse(data);
      json.push(parsed.delta.partial_json);
      longest = Math.max(longest, lengthOfText(json.value));
    }
  }
  const value = json.finish();
  if (longest !== lengthOfText(value)) throw new Error("the last look did not show the whole text");
  return value;
}

async function jsonriver(chunks: readonly Uint8Array[]): Promise<unknown> {
  const { parse } = await import("jsonriver");
  const deltas: string[] = [];
  eachDelta(chunks, (delta) => deltas.push(delta));
  const source = async function* () {
    yield* deltas;
  };
  let value: unknown;
  for await (value of parse(source())) lengthOfText(value);
  return value;
}

async function partialJson(chunks: readonly Uint8Array[]): Promise<unknown> {
  const { parse } = await import("partial-json");
  let json = "";
  let value: unknown;
  eachDelta(chunks, (delta) => {
    json += delta;
    value = parse(json);
  });
  return value;
}

function lengthOfText(value: unknown): number {
  if (typeof value !== "object" || value === null || !("text" in value)) return 0;
  return typeof value.text === "string" ? value.text.length : 0;
}

function work({ read }: Contender): Work {
  return async (argument) => {
    const size = Number(argument);
    const chunks = streamOf(size);
    if (lengthOfText(await read(chunks)) !== size) throw new Error("the text did not arrive whole");
    return cpuPerCall(() => read(chunks));
  };
}

function jobsOf(size: number): Aimed[] {
  return contenders
    .filter(({ largest = size }) => size <= largest)
    .map(({ name, label, ours = false, atMost }) => ({
      ours,
      label: `${sizeName(size).padEnd(6)}  ${label}`,
      work: name,
      argument: String(size),
      ...(atMost === undefined ? {} : { atMost }),
    }));
}

export const toolCallArguments: Case = {
  title: `server-sent events with a tool call whose arguments come in deltas of ${DELTA_BYTES} bytes`,
  peers: true,
  works: Object.fromEntries(contenders.map((contender) => [contender.name, work(contender)])),
  async measure(host) {
    host.note("partial-json is not run with 1 MB: its cost grows with the square of the size.");
    return growth(host, SIZES, jobsOf);
  },
};
