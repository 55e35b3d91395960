import { readNamedSchema } from "../api/output.js";
import type { Output } from "../api/provider.js";
import { isObject } from "../json/value.js";
import type { AgentMessage, UserMessage } from "../types.js";
import { isBroken } from "./failure.js";
import { callsOf } from "./open-calls.js";

/** The message with the form its sender wants the answer in. The form is stored in `ext`, so that a resumed run knows it. */
export function withOutput<M extends UserMessage>(message: M, output: Output | undefined): M {
  return output === undefined ? message : { ...message, ext: { ...message.ext, output } };
}

/** The form of the next answer: that of the latest unanswered message that states one. */
export function requestedOutput(messages: readonly AgentMessage[]): Output | undefined {
  const last = messages.findLast(
    (message) => isAnswer(message) || (message.role === "user" && outputOf(message) !== undefined),
  );
  return last?.role === "user" ? outputOf(last) : undefined;
}

/** Whether a message ends the answer to the messages before it: it calls no tool, or it failed. */
function isAnswer(message: AgentMessage): boolean {
  return message.role === "assistant" && (isBroken(message) || callsOf(message).length === 0);
}

/** Of a message that was joined from several, the latest one counts. */
function outputOf({ ext }: UserMessage): Output | undefined {
  const collected: unknown = ext?.["collected"];
  const others = Array.isArray(collected) ? collected.filter(isObject).map((one) => one["ext"]) : [];
  const given = [ext, ...others].flatMap((one) => (isObject(one) ? [readOutput(one["output"])] : []));
  return given.findLast((output) => output !== undefined);
}

function readOutput(output: unknown): Output | undefined {
  return output === "json" ? output : readNamedSchema(output);
}
