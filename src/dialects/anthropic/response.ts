import type { Origin } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isBroken } from "../../core/message/failure.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type { AssistantMessage, StopReason } from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { writeAnswerBlock } from "./parts.js";
import { writeStopReason } from "./stop-reason.js";
import { readTokens, writeTokens } from "./usage.js";
import type { Head } from "./wire.js";

/** The body of an answer, or of an error if the answer failed. */
export function response(message: AssistantMessage): JsonObject {
  if (isFailure(message)) return writeFailure(message);
  return { ...writeHead(message), content: writeContent(message) };
}

/** Whether an answer was cut off. A refusal is a complete answer to the API. */
export function isFailure(message: AssistantMessage): boolean {
  return isBroken(message) && typeof writeHead(message)["stop_reason"] !== "string";
}

/** A response without its content. */
export function writeHead(message: AssistantMessage): JsonObject {
  const { response: note } = notesOf(message);
  const usage = restore(writeTokens(message.usage), isObject(note) ? note["usage"] : undefined);
  return restore({ ...plainHead(message, message.stopReason), usage }, note);
}

function writeContent(message: AssistantMessage): JsonObject[] {
  return message.content.map(writeAnswerBlock).filter((block) => block !== undefined);
}

/** `{ type: "error", error: { type, message } }`, as a body and as the last event of a stream. */
export function writeFailure(message: AssistantMessage): JsonObject {
  return restore(plainFailure(message.errorMessage), notesOf(message)["failure"]);
}

function plainFailure(errorMessage = "the answer was cut off") {
  return { type: "error", error: { type: "api_error", message: errorMessage } };
}

function plainHead({ id, model, timestamp }: AssistantMessage, reason: StopReason): Head {
  return {
    id: `msg_${id ?? timestamp.toString(36)}`,
    type: "message",
    role: "assistant",
    model,
    stop_reason: writeStopReason(reason),
    stop_sequence: null,
  };
}

/** Applies the head of a response to the message; `reason` is the stop reason that the message will have. */
export function applyHead(
  message: AssistantMessage,
  wire: JsonObject,
  origin: Origin,
  reason: StopReason,
): void {
  const { usage, ...rest } = wire;
  if (message.model === "" && typeof rest["model"] === "string") message.model = rest["model"];
  const plain = plainHead(message, reason);
  if (!isObject(usage)) {
    addNotes(message, { response: { ...deviations(wire, { ...plain, usage: undefined }) } });
    return;
  }
  message.usage = origin.price(readTokens(usage));
  const own = deviations(usage, writeTokens(message.usage));
  const note = { ...deviations(rest, plain), ...(own === undefined ? {} : { usage: own }) };
  addNotes(message, { response: note });
}

/** Notes how the provider reported a failure, and returns its error message. */
export function applyFailure(message: AssistantMessage, wire: JsonObject): string {
  const { error } = wire;
  const text = isObject(error) && typeof error["message"] === "string" ? error["message"] : undefined;
  addNotes(message, { failure: { ...deviations(wire, plainFailure(text)) } });
  return text ?? "the provider reported an error";
}
