import { isErrorReply } from "../../core/api/error-reply.js";
import type { StreamPayload } from "../../core/api/provider.js";
import { newId } from "../../core/ids.js";
import { parsePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { formatSse } from "../../framing/sse-format.js";
import type { ForwardedBatch, SourcePayload } from "../../providers/forward.js";
import type { BodyPiece } from "../types.js";
import type { Family, ModelCall } from "./family.js";
import { isForwarded, type Piece } from "./piece.js";
import { skimmedFrames } from "./skimmed-frames.js";

/** Writes an answer as a stream of the client's API, piece by piece. */
export interface Rendering<T> {
  /** The frames of a piece as texts, or as bytes like the provider's. */
  write(piece: T): BodyPiece[];
  /** The end of a failed stream, as the API's error event, because the status has already been sent. */
  fail(message: AssistantMessage): string;
}

/** Renders an answer whose pieces are all of one kind, which the first piece shows. */
export function renderAnswer(family: Family, call: ModelCall): Rendering<Piece> {
  let ours: Rendering<LiveAssistantMessageEvent> | undefined;
  let theirs: Rendering<ForwardedBatch> | undefined;
  return {
    write(piece) {
      if (isForwarded(piece)) {
        theirs ??= renderForwarded(family, call);
        return theirs.write(piece);
      }
      ours ??= renderEvents(family, call);
      return ours.write(piece);
    },
    fail: (message) => (theirs ?? ours ?? renderEvents(family, call)).fail(message),
  };
}

/** Renders our events in the client's API. */
function renderEvents(family: Family, call: ModelCall): Rendering<LiveAssistantMessageEvent> {
  const writer = family.api.streamWriter();
  const name = nameFor(family, call);
  let begun = false;
  const write = (event: LiveAssistantMessageEvent): string => {
    if (event.type === "start") begun = true;
    return writer
      .push(eventWithName(event, name))
      .map((payload) => writeFrame(family, payload, call))
      .join("");
  };
  return {
    write: (event) => [write(event)],
    fail: (message) =>
      `${begun ? "" : write({ type: "start", partial: message })}${write({ type: "error", reason: "error", error: message })}`,
  };
}

/** Renders the provider's payloads, with the client's name for the model. */
function renderForwarded(family: Family, call: ModelCall): Rendering<ForwardedBatch> {
  const place = parsePointer(family.modelAt);
  const writeSkimmed = skimmedFrames(payloadText);
  let begun = false;

  function payloadText({ event, data, value }: SourcePayload): string {
    begun = true;
    const shown = readText(data, value);
    if (shown === undefined) return "";
    if (family.api.framing === "ndjson") return `${shown}\n`;
    const name = event === undefined || event === "message" ? "" : event;
    // A fast path: almost all of the thousands of payloads are one line.
    if (!shown.includes("\n")) return `${name === "" ? "" : `event: ${name}\n`}data: ${shown}\n\n`;
    return formatSse({ event: name, data: shown });
  }

  function readText(data: string, value: unknown): string | undefined {
    if (!isObject(value)) return data;
    const named = withModel(value, place, call.model);
    const shown = family.conceal === undefined ? named : family.conceal(named, call.body);
    if (shown === undefined) return undefined;
    return shown === value ? data : JSON.stringify(shown);
  }

  /** Writes a new error event, because the provider's may contain the gateway's key. */
  function fail(message: AssistantMessage): string {
    const rendering = renderEvents(family, call);
    // A new writer needs the start, which the client already has.
    if (begun) rendering.write({ type: "start", partial: message });
    return rendering.fail(message);
  }

  return {
    write({ payloads, events, last }) {
      const frames = payloads.map((one) => ("shape" in one ? writeSkimmed(one) : payloadText(one)));
      const end = events.at(-1);
      if (end?.type === "error" && (last === undefined || isErrorReply(family.api, end.error))) {
        return [...frames, fail(end.error)];
      }
      return last === undefined ? frames : [...frames, payloadText(last)];
    },
    fail,
  };
}

/** Replaces the model's name; returns the same object if it states none. */
export function withModel(value: JsonObject, place: readonly string[], model: string): JsonObject {
  const [key = "", ...rest] = place;
  const inner = value[key];
  if (rest.length === 0) return typeof inner === "string" ? { ...value, [key]: model } : value;
  return isObject(inner) ? { ...value, [key]: withModel(inner, rest, model) } : value;
}

function writeFrame(family: Family, given: StreamPayload, { body }: ModelCall): string {
  const payload = family.adapt === undefined ? given : family.adapt(given, body);
  if (payload === undefined) return "";
  const { event, data } = payload;
  if (family.api.framing === "ndjson") return formatLine(data);
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return formatSse({ data: text, ...(event === undefined ? {} : { event }) });
}

interface Name {
  model: string;
  prefix: string;
  id: string;
}

export function nameFor({ idPrefix = "" }: Family, { model }: ModelCall): Name {
  return { model, prefix: idPrefix, id: newId() };
}

/** The message with the client's name for the model, and a unique id. */
export function withName(message: AssistantMessage, { model, prefix, id }: Name): AssistantMessage {
  return { ...message, id: `${prefix}${message.id ?? id}`, model };
}

function eventWithName(event: LiveAssistantMessageEvent, name: Name): LiveAssistantMessageEvent {
  switch (event.type) {
    case "start":
      return { ...event, partial: withName(event.partial, name) };
    case "done":
      return { ...event, message: withName(event.message, name) };
    case "error":
      return { ...event, error: withName(event.error, name) };
    default:
      return event;
  }
}
