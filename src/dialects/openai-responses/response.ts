import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { itemsOf, type NameItem } from "./items.js";
import { notesOf } from "./notes.js";
import { streamReader } from "./stream-reader.js";
import { writeUsage } from "./usage.js";
import { arrayAt, objectAt, type ResponseHead } from "./wire.js";

/** Reads an unstreamed response as the last event of a stream. */
export function readResponse(body: unknown, origin: Origin): AssistantMessage {
  const response = objectAt(body, "");
  const failed = isObject(response["error"]);
  if (!failed) arrayAt(response["output"], "/output");
  const type = failed ? "response.failed" : "response.completed";
  const [last] = streamReader(origin).push({ type, response }).slice(-1);
  if (last?.type === "done") return last.message;
  if (last?.type === "error") return last.error;
  throw new DragomanError("provider/bad-response", "the response is incomplete");
}

export function response(message: AssistantMessage): JsonObject {
  return {
    ...responseHead(message, statusOf(message)),
    output: itemsOf(message, { name: namer(message) }),
    usage: writeUsage(message.usage, notesOf(message)["usage"]),
  };
}

export function responseHead(message: AssistantMessage, status: ResponseHead["status"]): ResponseHead {
  const { model } = notesOf(message);
  return {
    id: responseId(message),
    object: "response",
    created_at: Math.floor(message.timestamp / 1000),
    status,
    error:
      status === "failed"
        ? { code: "server_error", message: message.errorMessage ?? message.stopReason }
        : null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: null,
    metadata: {},
    model: typeof model === "string" ? model : message.model,
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
  };
}

/** Creates ids for items that have none; the same message always gets the same ids. */
export function namer(message: AssistantMessage): NameItem {
  const suffix = responseId(message).replace(/^resp_/, "");
  return (prefix, contentIndex) => `${prefix}_${suffix}_${contentIndex}`;
}

/** Whether the message has an id, from which unique item ids can be created. */
export function hasName(message: AssistantMessage): boolean {
  return message.id !== undefined || typeof notesOf(message)["id"] === "string";
}

function responseId(message: AssistantMessage): string {
  const { id } = notesOf(message);
  return typeof id === "string" ? id : `resp_${message.id ?? message.timestamp}`;
}

function statusOf({ stopReason }: AssistantMessage): ResponseHead["status"] {
  switch (stopReason) {
    case "stop":
    case "toolUse":
      return "completed";
    case "length":
      return "incomplete";
    case "error":
      return "failed";
    case "aborted":
      return "cancelled";
  }
}
