import type { Address, Api } from "../core/api/provider.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { SseReader } from "../framing/sse.js";
import { type SkimmedEvents, SseSkimmer } from "../framing/sse-skim.js";
import type { BatchReader } from "./driver.js";
import { type PayloadText, parsePayload, payloadReader, sseReader } from "./payloads.js";

/** A payload as the provider sent it. */
export interface SourcePayload extends PayloadText {
  /** The JSON of `data`, or a mark that is not JSON (`[DONE]`). */
  value: unknown;
}

/** One chunk of an answer: the provider's payloads, and the same as our events. */
export interface ForwardedBatch {
  /** Skimmed payloads are pieces of content that were not read, with their framing. */
  payloads: readonly (SourcePayload | SkimmedEvents)[];
  events: readonly LiveAssistantMessageEvent[];
  /** The payload that ended the answer; not in `payloads`, because it may report a failure. */
  last?: SourcePayload;
}

/**
 * Payloads together with their events, for a caller that forwards the payloads. With `skim`, deltas are not parsed once the
 * answer has content, because that would be most of the work; they are forwarded unchanged.
 */
export function forwardedBatches(
  api: Api,
  skim: boolean,
): BatchReader<ForwardedBatch, PayloadText | SkimmedEvents> {
  let hasContent = false;
  return {
    texts(framing) {
      const { deltas } = api;
      return skim && framing === "sse" && deltas !== undefined
        ? sseReader(new SseSkimmer(deltas))
        : payloadReader(framing);
    },
    read(texts, { reader, control, shown, fail }) {
      const payloads: (SourcePayload | SkimmedEvents)[] = [];
      const events: LiveAssistantMessageEvent[] = [];
      let last: SourcePayload | undefined;
      const readOne = (text: PayloadText) => {
        const payload = { ...text, value: parsePayload(text.data) };
        const read = reader.push(payload.value);
        if (read.length > 0) control.watchdog.pause();
        for (const event of read) {
          if (event.type !== "start") hasContent = true;
          events.push(shown(event));
        }
        if (reader.ended) last = payload;
        else payloads.push(payload);
      };
      try {
        for (const text of texts) {
          if (control.isAbortedByCaller) return { payloads, events: [...events, ...fail(undefined)] };
          if (!("skimmed" in text)) readOne(text);
          else {
            let rest: SkimmedEvents = text;
            while (!hasContent && rest.skimmed !== "") {
              const [first, others] = splitEvents(rest);
              for (const event of new SseReader().pushText(first)) readOne(event);
              rest = others;
            }
            if (rest.skimmed !== "") {
              control.watchdog.pause();
              payloads.push(rest);
            }
          }
          if (last !== undefined) return { payloads, events, last };
        }
        return { payloads, events };
      } catch (error) {
        return { payloads, events: [...events, ...fail(error)] };
      }
    },
    end: (events) => ({ payloads: [], events }),
  };
}

function splitEvents({ skimmed, bytes }: SkimmedEvents): [first: string, others: SkimmedEvents] {
  const end = skimmed.indexOf("\n\n") + 2;
  const rest = {
    skimmed: skimmed.slice(end),
    ...(bytes === undefined ? {} : { bytes: bytes.subarray(end) }),
  };
  return [skimmed.slice(0, end), rest];
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
