import { isNumber, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { A2aError, invalidParams } from "./errors.js";
import { legacyMethods, modernParams } from "./legacy.js";

/** A JSON-RPC request, in the spelling of 1.0. */
export interface A2aRequest {
  id: string | number | null;
  method: string;
  params: JsonObject;
  /** Whether the client speaks 0.3. */
  isLegacy: boolean;
}

/** Reads the body of a request; `id` is read first, so that errors carry it. */
export function readRequest(body: unknown, version: string | undefined): A2aRequest {
  if (!isObject(body) || body["jsonrpc"] !== "2.0" || !isString(body["method"])) {
    throw new A2aError("invalidRequest", "the body must be one JSON-RPC 2.0 request");
  }
  const { method, params = {} } = body;
  if (!isObject(params)) throw invalidParams("params must be an object");
  const renamed = Object.hasOwn(legacyMethods, method) ? legacyMethods[method] : undefined;
  if (!isSupported(version)) {
    throw new A2aError("versionNotSupported", `A2A-Version ${version} is not supported; 1.0 and 0.3 are`);
  }
  const id = idIn(body);
  if (renamed === undefined) return { id, method, params, isLegacy: false };
  return { id, method: renamed, params: modernParams(params), isLegacy: true };
}

export function idIn(body: unknown): A2aRequest["id"] {
  const id = isObject(body) ? body["id"] : undefined;
  return isString(id) || isNumber(id) ? id : null;
}

function isSupported(version: string | undefined): boolean {
  return version === undefined || version === "" || /^(1\.\d+|0\.3)(\.\d+)?$/.test(version);
}

/** A message for the agent. */
export interface SentMessage {
  messageId: string;
  contextId: string | undefined;
  taskId: string | undefined;
  parts: readonly unknown[];
  returnsImmediately: boolean;
  historyLength: number | undefined;
}

export function readMessage({ message, configuration }: JsonObject): SentMessage {
  if (!isObject(message)) throw invalidParams("params.message must be an object");
  const { messageId, contextId, taskId, parts, role } = message;
  if (!isString(messageId) || messageId === "") throw invalidParams("message.messageId is missing");
  if (role !== "ROLE_USER") throw invalidParams("message.role must be ROLE_USER");
  if (!Array.isArray(parts)) throw invalidParams("message.parts must be a list");
  const settings = isObject(configuration) ? configuration : {};
  if (isObject(settings["taskPushNotificationConfig"]) || isObject(settings["pushNotificationConfig"])) {
    throw new A2aError("noPushNotifications", "push notifications are not supported; subscribe to the task");
  }
  return {
    messageId,
    contextId: textIn(contextId),
    taskId: textIn(taskId),
    parts,
    returnsImmediately: settings["returnImmediately"] === true,
    historyLength: numberIn(settings["historyLength"]),
  };
}

export function textIn(value: unknown): string | undefined {
  return isString(value) && value !== "" ? value : undefined;
}

export function numberIn(value: unknown): number | undefined {
  return isNumber(value) ? value : undefined;
}
