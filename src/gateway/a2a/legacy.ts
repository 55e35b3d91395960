import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import type { A2aPart } from "./wire.js";

/* A2A 0.3 has the same model with other spellings: `kind` names each object, and names are in lower case. */

/** The methods of 0.3 and their names in 1.0. */
export const legacyMethods: Readonly<Record<string, string>> = {
  "message/send": "SendMessage",
  "message/stream": "SendStreamingMessage",
  "tasks/get": "GetTask",
  "tasks/cancel": "CancelTask",
  "tasks/resubscribe": "SubscribeToTask",
};

/** The parameters of a 0.3 request as 1.0 spells them. */
export function modernParams(params: JsonObject): JsonObject {
  const { message, configuration } = params;
  const { blocking, ...settings } = isObject(configuration) ? configuration : {};
  return {
    ...params,
    ...(isObject(message) ? { message: modernMessage(message) } : {}),
    configuration: { ...settings, returnImmediately: blocking === false },
  };
}

function modernMessage({ role, parts, ...message }: JsonObject): JsonObject {
  return {
    ...message,
    role: role === "user" ? "ROLE_USER" : "ROLE_AGENT",
    parts: Array.isArray(parts) ? parts.map((part) => (isObject(part) ? modernPart(part) : part)) : parts,
  };
}

function modernPart({ kind, file, ...part }: JsonObject): JsonObject {
  if (kind !== "file" || !isObject(file)) return part;
  const { bytes, uri, mimeType, name } = file;
  return {
    ...part,
    ...(isString(bytes) ? { raw: bytes } : { url: uri }),
    ...(isString(mimeType) ? { mediaType: mimeType } : {}),
    ...(isString(name) ? { filename: name } : {}),
  };
}

/** The states after which a stream ends. */
const FINAL: readonly unknown[] = ["completed", "failed", "canceled", "rejected", "input-required"];

/** A result of 1.0 as 0.3 spells it. */
export function legacyResult(result: JsonObject): JsonObject {
  const { task, statusUpdate, artifactUpdate } = result;
  if (isObject(task)) return legacyTask(task);
  if (isObject(statusUpdate)) {
    const status = legacyStatus(statusUpdate["status"]);
    const final = FINAL.includes(status["state"]);
    return { kind: "status-update", ...statusUpdate, status, final };
  }
  if (isObject(artifactUpdate)) {
    return { kind: "artifact-update", ...artifactUpdate, artifact: legacyParts(artifactUpdate["artifact"]) };
  }
  return isString(result["contextId"]) ? legacyTask(result) : result;
}

function legacyTask({ artifacts, history, status, ...task }: JsonObject): JsonObject {
  return {
    kind: "task",
    ...task,
    status: legacyStatus(status),
    ...(Array.isArray(artifacts) ? { artifacts: artifacts.map(legacyParts) } : {}),
    ...(Array.isArray(history) ? { history: history.map(legacyMessage) } : {}),
  };
}

function legacyStatus(status: unknown): JsonObject {
  const { state, message, ...rest } = isObject(status) ? status : {};
  return {
    ...rest,
    // `TASK_STATE_INPUT_REQUIRED` is `input-required`.
    state: String(state).replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-"),
    ...(isObject(message) ? { message: legacyMessage(message) } : {}),
  };
}

function legacyMessage(message: unknown): JsonObject {
  const { role, ...rest } = isObject(message) ? message : {};
  return { kind: "message", role: role === "ROLE_USER" ? "user" : "agent", ...legacyParts(rest) };
}

function legacyParts(value: unknown): JsonObject {
  const { parts, ...rest } = isObject(value) ? value : {};
  return { ...rest, parts: Array.isArray(parts) ? parts.filter(isObject).map(legacyPart) : [] };
}

function legacyPart({ text, raw, url, data, mediaType, filename }: A2aPart): JsonObject {
  if (isString(text)) return { kind: "text", text };
  if (data !== undefined) return { kind: "data", data };
  const about = {
    ...(isString(mediaType) ? { mimeType: mediaType } : {}),
    ...(isString(filename) ? { name: filename } : {}),
  };
  return { kind: "file", file: { ...(isString(raw) ? { bytes: raw } : { uri: url }), ...about } };
}
