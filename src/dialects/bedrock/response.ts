import type { Origin } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isBroken } from "../../core/message/failure.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type { AssistantMessage, StopReason } from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { writeAnswerBlock } from "./parts.js";
import { writeStopReason } from "./stop-reason.js";
import { readTokens, writeTokens } from "./usage.js";
import { objectIn } from "./wire.js";

/** The body of an answer, or of an error if the answer failed. */
export function response(message: AssistantMessage): JsonObject {
  if (isFailure(message)) return writeFailure(message).value;
  const content = message.content.map(writeAnswerBlock).filter((block) => block !== undefined);
  const { output, ...rest } = writeFrame(message);
  return { output: { ...output, message: { ...objectIn(output, "message"), content } }, ...rest };
}

/** Whether an answer was cut off. A blocked answer is a complete answer to the API. */
export function isFailure(message: AssistantMessage): boolean {
  return isBroken(message) && typeof writeFrame(message)["stopReason"] !== "string";
}

/** A response with an empty content. */
export function writeFrame(message: AssistantMessage): JsonObject & { output: JsonObject } {
  const whole = restore(plainFrame(message, message.stopReason), notesOf(message)["response"]);
  const { output } = whole;
  return { ...whole, output: isObject(output) ? output : {} };
}

function plainFrame({ usage }: AssistantMessage, reason: StopReason): JsonObject {
  const stopReason = writeStopReason(reason);
  return {
    output: { message: { role: "assistant", content: [] } },
    ...(stopReason === undefined ? {} : { stopReason }),
    usage: writeTokens(usage),
  };
}

/** Applies a response without its content; `reason` is the stop reason that the message will have. */
export function applyFrame(
  message: AssistantMessage,
  wire: JsonObject,
  origin: Origin,
  reason: StopReason,
): void {
  if (isObject(wire["usage"])) message.usage = origin.price(readTokens(wire["usage"]));
  const deviation = deviations(wire, plainFrame(message, reason), { inside: "all" });
  if (deviation !== undefined) addNotes(message, { response: { ...deviation } });
}

/** The event that ends a failed stream; its value is also the body of a failed request. */
export function writeFailure(message: AssistantMessage): { name: string; value: JsonObject } {
  const { failure: note } = notesOf(message);
  const { name = "internalServerException", value } = isObject(note) ? note : {};
  const plain = { message: message.errorMessage ?? "the answer was cut off" };
  return { name: String(name), value: isObject(value) ? value : plain };
}

/** Notes how a failure was reported, and returns its message. */
export function applyFailure(message: AssistantMessage, name: string, wire: unknown): string {
  const value = isObject(wire) ? wire : {};
  const reason = [value["message"], value["Message"], value["originalMessage"]].find(
    (text) => typeof text === "string" && text !== "",
  );
  // Always noted: an answer without notes of this API is not written as its response.
  addNotes(message, { failure: { name, value } });
  return typeof reason === "string" ? reason : `the provider reported ${name}`;
}
