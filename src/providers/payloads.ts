import type { Api } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import { EventStreamReader } from "../framing/event-stream.js";
import { messageText } from "../framing/event-stream-payload.js";
import { decodeLine, LineSplitter } from "../framing/lines.js";
import { SseReader } from "../framing/sse.js";
import { type SkimmedEvents, SseSkimmer } from "../framing/sse-skim.js";
import { failure, networkFailure } from "./failure.js";
import type { ChunkReader, ProviderResponse } from "./world.js";

/** One payload of a stream: the data of a server-sent event, or one line. */
export interface PayloadText {
  /** The name of the server-sent event (`message` if the stream names none). */
  event?: string;
  data: string;
}

/** The texts of a streamed answer, in one batch for the chunks that arrive together. */
export async function* readTexts<T>(
  response: ProviderResponse,
  framing: Api["framing"],
  reader: TextReader<T>,
  maxBytes: number,
): AsyncGenerator<T[], void> {
  const { body } = response;
  checkType(response, EXPECTED[framing]);
  if (body === null) throw failure("provider/bad-response", "the answer has no body", { retryable: true });
  const chunks = body.getReader();
  let bytes = 0;
  try {
    for (let chunk = await next(chunks); !chunk.done; chunk = await next(chunks)) {
      const arrived: Uint8Array[] = [];
      for (let read: Uint8Array | undefined = chunk.value; read !== undefined; read = chunks.readNow?.()) {
        bytes += read.length;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        arrived.push(read);
      }
      yield reader.push(arrived);
    }
    yield reader.finish();
  } finally {
    // Cancelling a broken body fails, and there is nothing left to cancel.
    await chunks.cancel().catch(() => undefined);
  }
}

function tooLarge(limit: number): DragomanError {
  return failure(
    "provider/bad-response",
    `the answer is larger than ${limit} bytes`,
    { retryable: false },
    "raise maxAnswerBytes of the provider if such answers are expected",
  );
}

async function next(chunks: ChunkReader): Promise<IteratorResult<Uint8Array, unknown>> {
  try {
    return await chunks.read();
  } catch (cause) {
    throw networkFailure("the connection broke off", cause);
  }
}

/** Splits a streamed answer. */
export interface TextReader<T> {
  /** Reads chunks that arrived together. */
  push(chunks: readonly Uint8Array[]): T[];
  finish(): T[];
}

function sseTexts(): TextReader<PayloadText> {
  const reader = new SseReader();
  return {
    push: (chunks) => readEach(chunks, (chunk) => reader.push(chunk)),
    finish: () => optional(reader.finish()),
  };
}

/** Like the texts of server-sent events, but most pieces of content are not parsed. */
export function skimmedTexts(fields: readonly string[]): TextReader<PayloadText | SkimmedEvents> {
  const skimmer = new SseSkimmer(fields);
  return { push: (chunks) => skimmer.push(...chunks), finish: () => optional(skimmer.finish()) };
}

/** Usually one chunk, whose texts are not copied: that would take a twentieth of the time of reading them. */
function readEach<T>(chunks: readonly Uint8Array[], read: (chunk: Uint8Array) => T[]): T[] {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? read(first) : chunks.flatMap(read);
}

function optional<T>(item: T | undefined): T[] {
  return item === undefined ? [] : [item];
}

function lineTexts(): TextReader<PayloadText> {
  const splitter = new LineSplitter();
  const texts = (lines: ReturnType<LineSplitter["push"]>) =>
    lines.map((line) => ({ data: decodeLine(line) })).filter(({ data }) => data.trim() !== "");
  return {
    push: (chunks) => readEach(chunks, (chunk) => texts(splitter.push(chunk))),
    finish: () => texts(splitter.finish()),
  };
}

function messageTexts(): TextReader<PayloadText> {
  const reader = new EventStreamReader();
  return {
    push: (chunks) =>
      chunks.flatMap((chunk) => reader.push(chunk)).map((message) => ({ data: messageText(message) })),
    finish() {
      reader.finish();
      return [];
    },
  };
}

/** Splits an answer into its payloads. */
export function payloadReader(framing: Api["framing"]): TextReader<PayloadText> {
  return readers[framing]();
}

const readers = {
  sse: sseTexts,
  ndjson: lineTexts,
  "event-stream": messageTexts,
} as const;

/** The JSON of an answer that is sent whole. */
export async function readAnswer(response: ProviderResponse, maxBytes: number): Promise<unknown> {
  checkType(response, "application/json");
  const text = await textOf(response, maxBytes, () => {
    throw tooLarge(maxBytes);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DragomanError("provider/bad-response", `the answer is not JSON: ${text.slice(0, 80)}`, {
      cause,
      details: { retryable: true },
    });
  }
}

/** The start of a body, up to `maxBytes`. `onTooLarge` may throw if there is more. */
export async function textOf(
  { body }: ProviderResponse,
  maxBytes: number,
  onTooLarge: () => void = () => undefined,
): Promise<string> {
  if (body === null) return "";
  const chunks = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for (let chunk = await next(chunks); !chunk.done; chunk = await next(chunks)) {
      bytes += chunk.value.length;
      if (bytes > maxBytes) {
        onTooLarge();
        break;
      }
      text += decoder.decode(chunk.value, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    await chunks.cancel().catch(() => undefined);
  }
}

/** A payload's JSON, or `[DONE]`, the end mark of some streams, which is not JSON. */
export function parsePayload(text: string): unknown {
  if (text === "[DONE]") return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DragomanError(
      "provider/bad-response",
      `the stream contains a payload that is not JSON: ${text.slice(0, 80)}`,
      {
        cause,
        details: { retryable: true },
      },
    );
  }
}

const EXPECTED = {
  sse: "text/event-stream",
  ndjson: "application/x-ndjson",
  "event-stream": "application/vnd.amazon.eventstream",
} as const;

/** Detects a proxy that answers 200 with its own page, by the content type. */
function checkType({ headers }: ProviderResponse, expected: string): void {
  const type = headers.get("content-type") ?? "";
  if (!type.startsWith("text/html") && !type.startsWith("image/")) return;
  throw failure(
    "provider/bad-response",
    `expected ${expected}, found ${type}`,
    { retryable: false },
    "check the base URL: another server than the provider's answers there",
  );
}
