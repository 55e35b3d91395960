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

/** The body of an answer, or of an error for one that failed. */
export function response(message: AssistantMessage): JsonObject {
  if (isFailure(message)) return failure(message);
  return { ...head(message), content: content(message) };
}

/** An answer that broke off. One that was refused is a whole answer to the API. */
export function isFailure(message: AssistantMessage): boolean {
  return isBroken(message) && typeof head(message)["stop_reason"] !== "string";
}

/** Everything of a response but its content. */
export function head(message: AssistantMessage): JsonObject {
  const { response: note } = notesOf(message);
  const usage = restore(writeTokens(message.usage), isObject(note) ? note["usage"] : undefined);
  return restore({ ...plainHead(message, message.stopReason), usage }, note);
}

function content(message: AssistantMessage): JsonObject[] {
  return message.content.map(writeAnswerBlock).filter((block) => block !== undefined);
}

/** `{ type: "error", error: { type, message } }`, as a body and as the last event of a stream. */
export function failure(message: AssistantMessage): JsonObject {
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

/** Takes into the message what the head of a response says of it; `reason` is how the message will have ended. */
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

/** Notes how the failure of a stream or a request was put, and returns what it says to people. */
export function applyFailure(message: AssistantMessage, wire: JsonObject): string {
  const { error } = wire;
  const said = isObject(error) && typeof error["message"] === "string" ? error["message"] : undefined;
  addNotes(message, { failure: { ...deviations(wire, plainFailure(said)) } });
  return said ?? "the provider reported an error";
}
