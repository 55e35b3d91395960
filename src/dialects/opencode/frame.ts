import type { JsonRecord } from "../../core/dialect.js";
import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { LAST_DATE } from "../../core/time.js";
import type { AgentMessage, Ext } from "../../core/types.js";
import { uuidFor } from "../../core/uuid.js";
import { infoOf, roleOf, textOr, UNKNOWN } from "./wire.js";

export interface Model {
  providerID: string;
  modelID: string;
}

export const UNKNOWN_MODEL: Model = { providerID: UNKNOWN, modelID: UNKNOWN };

/** What a new record depends on in the record before it. Nothing else, so that the limits of units do not matter. */
export interface Before {
  sessionID: string;
  /** The record's own id, to derive the next one. */
  id: string;
  /** The prompt that an answer belongs to. */
  promptID?: string;
  /** The time of the last message; undefined before the first. */
  time?: number;
  model?: Model;
}

export function beforeOf(record: JsonRecord | undefined): Before {
  if (record === undefined) return { sessionID: sessionId(""), id: "" };
  const info = infoOf(record);
  const id = textOr(info["id"], "");
  const model = modelOf(record);
  const shared = { id, ...(model === undefined ? {} : { model }) };
  const role = roleOf(record);
  if (role === undefined) return { ...shared, sessionID: id === "" ? sessionId("") : id };
  const promptID = role === "user" ? id : info["parentID"];
  const time = createdIn(info);
  return {
    ...shared,
    sessionID: textOr(info["sessionID"], sessionId("")),
    ...(isString(promptID) && promptID !== "" ? { promptID } : {}),
    ...(time === undefined ? {} : { time }),
  };
}

/** The model that a record names. */
export function modelOf(record: JsonRecord): Model | undefined {
  const info = infoOf(record);
  const { model } = info;
  if (roleOf(record) === "assistant") return modelWith(info["providerID"], info["modelID"]);
  if (!isObject(model)) return undefined;
  return modelWith(model["providerID"], roleOf(record) === "user" ? model["modelID"] : model["id"]);
}

export function modelWith(providerID: unknown, modelID: unknown): Model | undefined {
  const isKnown = isString(providerID) && isString(modelID) && providerID !== UNKNOWN && modelID !== UNKNOWN;
  return isKnown ? { providerID, modelID } : undefined;
}

/** When a session or message was created. */
export function createdIn({ time }: JsonObject): number | undefined {
  return isObject(time) && isNumber(time["created"]) ? time["created"] : undefined;
}

/** A time later than the message before, because opencode sorts by time. */
export function timeAfter(message: { timestamp: number; ext?: Ext }, { time }: Before): number {
  const own = isSynthesised(message, "/timestamp") ? undefined : wholeTime(message.timestamp);
  if (time === undefined) return own ?? 0;
  return own !== undefined && own > time ? own : Math.trunc(time) + 1;
}

/** opencode requires whole milliseconds from 1970 on. `ms` is unknown because messages of an unknown role need no time. */
export function wholeTime(ms: unknown): number {
  return isNumber(ms) && ms > 0 && ms <= LAST_DATE ? Math.trunc(ms) : 0;
}

export function sessionId(id: string): string {
  return id.startsWith("ses") ? id : `ses_${hashOf(id)}`;
}

/** The id itself if opencode accepts it. The session is part of a derived one, because ids are unique in its database. */
export function messageId(id: string, sessionID: string): string {
  return id.startsWith("msg") ? id : `msg_${hashOf(`${sessionID} ${id}`)}`;
}

/** The id of the message's record; one without an id gets the same in every conversion. */
export function idAfter({ id, role, timestamp }: AgentMessage, { sessionID, id: last }: Before): string {
  return messageId(id ?? JSON.stringify([last, role, timestamp]), sessionID);
}

function hashOf(name: string): string {
  return uuidFor(name).replaceAll("-", "").slice(0, 26);
}

/** The fields that every part has. */
export interface PartFrame {
  id: string;
  sessionID: string;
  messageID: string;
}

/**
 * The frame of the part with that place; the place `text` marks a content that is text and not a list with one text.
 * `ours` is used where a record has no valid ids.
 */
export function partFrame(info: JsonObject, ours: JsonObject, place: number | "text"): PartFrame {
  const messageID = textOr(info["id"], String(ours["id"]));
  const sessionID = textOr(info["sessionID"], String(ours["sessionID"]));
  // Parts are sorted by their ids, as text.
  const name = typeof place === "number" ? String(place).padStart(5, "0") : place;
  return { id: `prt_${messageID.replace(/^msg_?/, "")}_${name}`, sessionID, messageID };
}
