import { isErrorReply } from "../../core/api/error-reply.js";
import type { StreamPayload } from "../../core/api/provider.js";
import { newId } from "../../core/ids.js";
import { parsePointer, resolvePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { formatLine } from "../../framing/ndjson.js";
import { formatSse } from "../../framing/sse-format.js";
import type { ForwardedBatch, SourcePayload } from "../../providers/forward.js";
import type { Family, ModelCall } from "./family.js";
import { isForwarded, type Piece } from "./piece.js";

/** Writes an answer as a stream of the client's API, piece by piece. */
export interface Rendering<T> {
  /** The text of a piece; a stream may have several in one, or none. */
  write(piece: T): string;
  /** The end of a stream whose source failed: the status is sent, so that only the API's own error event is left. */
  fail(message: AssistantMessage): string;
}

/** An answer whose pieces are all of one kind, which is known with the first. */
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

/** Our events, in the client's API. */
function renderEvents(family: Family, call: ModelCall): Rendering<LiveAssistantMessageEvent> {
  const writer = family.api.streamWriter();
  const name = nameFor(family, call);
  let begun = false;
  const write = (event: LiveAssistantMessageEvent): string => {
    if (event.type === "start") begun = true;
    return writer
      .push(eventWithName(event, name))
      .map((payload) => frame(family, payload, call))
      .join("");
  };
  return {
    write,
    fail: (message) =>
      `${begun ? "" : write({ type: "start", partial: message })}${write({ type: "error", reason: "error", error: message })}`,
  };
}

/** The provider's own payloads, with the model's name that the client uses. */
function renderForwarded(family: Family, call: ModelCall): Rendering<ForwardedBatch> {
  const place = parsePointer(family.modelAt);
  const key = `"${place.at(-1)}":`;
  const ownName = `${key}${JSON.stringify(call.model)}`;
  let begun = false;
  /** The field with the provider's name for the model, as compact JSON writes it. */
  let itsName = "";

  function payloadText({ event, data, value }: SourcePayload): string {
    begun = true;
    const shown = value === undefined ? unreadText(data) : readText(data, value);
    if (shown === undefined) return "";
    if (family.api.framing === "ndjson") return `${shown}\n`;
    const name = event === undefined || event === "message" ? "" : event;
    // Nearly all payloads are one line, and there are thousands of them.
    if (!shown.includes("\n")) return `${name === "" ? "" : `event: ${name}\n`}data: ${shown}\n\n`;
    return formatSse({ event: name, data: shown });
  }

  function readText(data: string, value: unknown): string | undefined {
    if (!isObject(value)) return data;
    const said = resolvePointer(value, family.modelAt);
    if (typeof said === "string") itsName = `${key}${JSON.stringify(said)}`;
    const named = withModel(value, place, call.model);
    const shown = family.conceal === undefined ? named : family.conceal(named, call.body);
    if (shown === undefined) return undefined;
    return shown === value ? data : JSON.stringify(shown);
  }

  /** A piece of content that was not parsed. In a text of the answer the quotes of a field are escaped. */
  function unreadText(data: string): string | undefined {
    let named = data;
    if (data.includes(key)) {
      const at = itsName === "" ? -1 : data.indexOf(itsName);
      if (at < 0) return readText(data, JSON.parse(data));
      named = `${data.slice(0, at)}${ownName}${data.slice(at + itsName.length)}`;
    }
    return family.concealText === undefined ? named : family.concealText(named, call.body);
  }

  /** A provider's own words may show the gateway's key, so that a failure is written anew. */
  function fail(message: AssistantMessage): string {
    const { write } = renderEvents(family, call);
    const start = write({ type: "start", partial: message });
    return `${begun ? "" : start}${write({ type: "error", reason: "error", error: message })}`;
  }

  return {
    write({ payloads, events, last }) {
      const text = payloads.map(payloadText).join("");
      const end = events.at(-1);
      if (end?.type === "error" && (last === undefined || isErrorReply(family.api, end.error))) {
        return `${text}${fail(end.error)}`;
      }
      return last === undefined ? text : `${text}${payloadText(last)}`;
    },
    fail,
  };
}

/** The same object when it does not state a model. */
export function withModel(value: JsonObject, place: readonly string[], model: string): JsonObject {
  const [key = "", ...rest] = place;
  const inner = value[key];
  if (rest.length === 0) return typeof inner === "string" ? { ...value, [key]: model } : value;
  return isObject(inner) ? { ...value, [key]: withModel(inner, rest, model) } : value;
}

function frame(family: Family, given: StreamPayload, { body }: ModelCall): string {
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

/** Called as the client calls it, and with an id that no other answer has. */
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
