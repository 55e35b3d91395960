import type { Address, Api } from "../core/api/provider.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { type SkimmedEvents, splitSkimmed } from "../framing/sse-skim.js";
import type { BatchReader, Reading } from "./driver.js";
import { type PayloadText, parsePayload, payloadReader, skimmedTexts } from "./payloads.js";

/** A payload as the provider sent it. */
export interface SourcePayload extends PayloadText {
  /** The JSON of `data`, or a mark that is not JSON (`[DONE]`). */
  value: unknown;
}

/** One chunk of an answer: the provider's payloads, and the same as our events. */
export interface ForwardedBatch {
  /** Skimmed events are pieces of content that were not parsed. */
  payloads: readonly (SourcePayload | SkimmedEvents)[];
  events: readonly LiveAssistantMessageEvent[];
  /** The payload that ended the answer; not in `payloads`, because it may report a failure. */
  last?: SourcePayload;
}

/**
 * Payloads together with their events, for a caller that forwards the payloads. With `skim`, a payload that differs from an
 * earlier one only in its piece of content is not parsed once the answer has content, because that would be most of the work.
 */
export function forwardedBatches(
  { deltaFields = [] }: Api,
  skim: boolean,
): BatchReader<ForwardedBatch, PayloadText | SkimmedEvents> {
  let hasContent = false;

  function readPayload(
    text: PayloadText,
    batch: OpenBatch,
    { reader, control, parse, shown }: Reading,
  ): void {
    // The few that are not skimmed are parsed as they are: no later one repeats them.
    const payload = { ...text, value: skim ? parsePayload(text.data) : parse(text.data) };
    const read = reader.push(payload.value);
    if (read.length > 0) control.watchdog.pause();
    for (const event of read) {
      if (event.type !== "start") hasContent = true;
      batch.events.push(shown(event));
    }
    if (reader.ended) batch.last = payload;
    else batch.payloads.push(payload);
  }

  function addSkimmed(skimmed: SkimmedEvents, batch: OpenBatch, reading: Reading): void {
    let rest: SkimmedEvents | undefined = skimmed;
    while (rest !== undefined && !hasContent && batch.last === undefined) {
      const [first, others]: ReturnType<typeof splitSkimmed> = splitSkimmed(rest);
      for (const event of first) readPayload(event, batch, reading);
      rest = others;
    }
    if (rest === undefined) return;
    reading.control.watchdog.pause();
    batch.payloads.push(rest);
  }

  return {
    texts: (framing) =>
      skim && framing === "sse" && deltaFields.length > 0
        ? skimmedTexts(deltaFields)
        : payloadReader(framing),
    read(texts, reading) {
      const batch: OpenBatch = { payloads: [], events: [] };
      try {
        for (const text of texts) {
          if (reading.control.isAbortedByCaller) return failed(batch, reading.fail(undefined));
          if ("shape" in text) addSkimmed(text, batch, reading);
          else readPayload(text, batch, reading);
          if (batch.last !== undefined) break;
        }
        return batch;
      } catch (error) {
        return failed(batch, reading.fail(error));
      }
    },
    end: (events) => ({ payloads: [], events }),
  };
}

function failed(batch: OpenBatch, events: readonly LiveAssistantMessageEvent[]): ForwardedBatch {
  return { payloads: batch.payloads, events: [...batch.events, ...events] };
}

/** A batch to which payloads are being added. */
interface OpenBatch extends ForwardedBatch {
  payloads: (SourcePayload | SkimmedEvents)[];
  events: LiveAssistantMessageEvent[];
}

/** The client's headers that are forwarded with its request, joined with the configured ones. */
export function forwardedHeaders(
  { clientHeaders = {} }: Address,
  given: Readonly<Record<string, string | string[] | undefined>>,
  configured: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  const own = new Map(Object.entries(configured).map(([name, value]) => [name.toLowerCase(), value]));
  const headers: Record<string, string> = {};
  for (const [name, kind] of Object.entries(clientHeaders)) {
    const value = [given[name] ?? []].flat().join(",");
    const other = own.get(name);
    // A header that is configured as null is never sent.
    if (value === "" || other === null) continue;
    if (other === undefined) headers[name] = value;
    else headers[name] = kind === "list" ? joinLists(other, value) : other;
  }
  return headers;
}

function joinLists(...lists: readonly string[]): string {
  const items = lists.flatMap((list) => list.split(",").map((item) => item.trim()));
  return [...new Set(items)].join(",");
}
