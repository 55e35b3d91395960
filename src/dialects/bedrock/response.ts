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

/** The body of an answer, or of an error for one that failed. */
export function response(message: AssistantMessage): JsonObject {
  if (isFailure(message)) return failure(message).value;
  const content = message.content.map(writeAnswerBlock).filter((block) => block !== undefined);
  const { output, ...rest } = frame(message);
  return { output: { ...output, message: { ...objectIn(output, "message"), content } }, ...rest };
}

/** An answer that broke off. One that was blocked is a whole answer to the API. */
export function isFailure(message: AssistantMessage): boolean {
  return isBroken(message) && typeof frame(message)["stopReason"] !== "string";
}

/** Everything of a response but its content, which is an empty list here. */
export function frame(message: AssistantMessage): JsonObject & { output: JsonObject } {
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

/** Reads everything of a response but its content; `reason` is how the message will have ended. */
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

/** The event that ends a stream that failed; its value is also the body of a request that failed. */
export function failure(message: AssistantMessage): { name: string; value: JsonObject } {
  const { failure: note } = notesOf(message);
  const { name = "internalServerException", value } = isObject(note) ? note : {};
  const plain = { message: message.errorMessage ?? "the answer was cut off" };
  return { name: String(name), value: isObject(value) ? value : plain };
}

/** Notes how a failure was reported, and returns its message. */
export function applyFailure(message: AssistantMessage, name: string, wire: unknown): string {
  const value = isObject(wire) ? wire : {};
  const words = [value["message"], value["Message"], value["originalMessage"]].find(
    (word) => typeof word === "string" && word !== "",
  );
  const isPlain = name === "internalServerException" && Object.keys(value).join() === "message";
  if (!isPlain) addNotes(message, { failure: { name, value } });
  return typeof words === "string" ? words : `the provider reported ${name}`;
}
