import type { JsonRecord } from "../../core/dialect.js";
import { isEmpty, isObject, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage } from "../../core/types.js";
import type { ResultMessage } from "./decode-result.js";
import { encodeCall, encodeHead, encodeLoneResult, encodeResult, timesOf } from "./encode-step.js";
import { encodeHeader } from "./header.js";
import { notesOf } from "./notes.js";
import { isHeader, markAhead, markApart, markUnnumbered, OBSERVATION } from "./wire.js";

/** A step: the message it begins with, and the results it observed. */
interface Step {
  head: AgentMessage;
  results: ResultMessage[];
}

/** A result joins the step of its call. Messages without a step join the one before them, so that it stays complete. */
export function joinsMessage(_last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (first.role === "session") return false;
  return !hasStep(next) || (hasStep(first) && isResult(next) && isObservedBy(first, next));
}

export function encode(unit: readonly AgentMessage[], _next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const [first] = unit;
  if (first === undefined) return [encodeHeader()];
  // There is one header: a later session message leaves no record.
  const header = first.role === "session" && last === undefined ? [encodeHeader(first)] : [];
  return [...header, ...stepsOf(unit).map(encodeStep)];
}

function stepsOf(messages: readonly AgentMessage[]): Step[] {
  const steps: Step[] = [];
  for (const message of messages) {
    const step = steps.at(-1);
    if (!hasStep(message)) continue;
    if (step !== undefined && isResult(message) && isObservedBy(step.head, message))
      step.results.push(message);
    else steps.push({ head: message, results: isResult(message) ? [message] : [] });
  }
  return steps;
}

function hasStep(message: AgentMessage): boolean {
  const { role } = message;
  if (role === "custom") return isResult(message);
  return ["user", "system", "assistant", "toolResult", "compaction"].includes(role);
}

function isResult(message: AgentMessage): message is ResultMessage {
  return message.role === "toolResult" || (message.role === "custom" && message.customType === OBSERVATION);
}

function isObservedBy(head: AgentMessage, result: ResultMessage): boolean {
  const notes = notesOf(result);
  if (head.role === "compaction") return false;
  if (notes["joined"] === true) return true;
  if (result.role !== "toolResult" || head.role !== "assistant" || notes["apart"] === true) return false;
  return head.content.some((block) => block.type === "toolCall" && block.id === result.toolCallId);
}

function encodeStep({ head, results }: Step): JsonRecord {
  const notes = notesOf(head);
  const own = restore(encodeHead(head), notes);
  const calls = head.role === "assistant" ? head.content.filter((block) => block.type === "toolCall") : [];
  const step: JsonObject = {
    ...own,
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map((call) => restore(encodeCall(call), notesOf(call))) }),
  };
  if (results.length > 0) {
    const { observation } = own;
    const entries = results.map((result) => {
      const ours = result === head ? encodeLoneResult(result) : encodeResult(result);
      return restore(ours, notesOf(result)["result"]);
    });
    step["observation"] = { ...(isObject(observation) ? observation : {}), results: entries };
    const times = timesOf(results, head);
    if (!isEmpty(times)) step["extra"] = { ...(isObject(own["extra"]) ? own["extra"] : {}), ...times };
  }
  // Notes come from files: a step must stay one.
  if (isHeader(step)) Reflect.deleteProperty(step, "schema_version");
  if (notes["apart"] === true) markApart(step);
  if (notes["unnumbered"] === true && !Object.hasOwn(step, "step_id")) markUnnumbered(step);
  return notes["ahead"] === true ? markAhead(step) : step;
}
