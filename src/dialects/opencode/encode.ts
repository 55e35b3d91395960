import type { JsonRecord } from "../../core/dialect.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage, SystemMessage, ToolResultMessage } from "../../core/types.js";
import { answerRecord } from "./encode-answer.js";
import { compactionRecords } from "./encode-compaction.js";
import { userRecord } from "./encode-user.js";
import { beforeOf, type Model, modelWith } from "./frame.js";
import { encodeHeader } from "./header.js";

/** A turn is a prompt, the instructions before it, and everything up to the next one. */
export function joinsMessage(last: AgentMessage, next: AgentMessage, first: AgentMessage): boolean {
  if (last.role === "session") return false;
  switch (next.role) {
    case "user":
      return first.role === "system" && last.role === "system";
    case "system":
      return last.role === "system" && first.role === "system";
    case "session":
    case "compaction":
      return false;
    default:
      return true;
  }
}

/** The records of a turn, of a compaction, or the header. */
export function encode(unit: readonly AgentMessage[], next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  const [first] = unit;
  if (first === undefined) return [encodeHeader(undefined, next)];
  // A document has one session.
  if (first.role === "session") return last === undefined ? [encodeHeader(first)] : [];
  const records: JsonRecord[] = [];
  const instructions: SystemMessage[] = [];
  for (const [index, message] of unit.entries()) {
    const before = beforeOf(records.at(-1) ?? last);
    switch (message.role) {
      case "system":
        instructions.push(message);
        break;
      case "user":
        records.push(userRecord(message, instructions, before, answererIn(unit, index)));
        break;
      case "assistant":
        records.push(answerRecord(message, resultsAfter(unit, index), before));
        break;
      case "compaction":
        records.push(...compactionRecords(message, before));
        break;
    }
  }
  return records;
}

/** The model of the first answer after a prompt. */
function answererIn(unit: readonly AgentMessage[], prompt: number): Model | undefined {
  const message = unit.find(({ role }, index) => index > prompt && role === "assistant");
  if (message?.role !== "assistant") return undefined;
  if (isSynthesised(message, "/provider") || isSynthesised(message, "/model")) return undefined;
  return modelWith(message.provider, message.model);
}

/** The results between an answer and the next one. */
function resultsAfter(unit: readonly AgentMessage[], index: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (let next = index + 1; next < unit.length; next++) {
    const message = unit[next];
    if (message?.role === "assistant") break;
    if (message?.role === "toolResult") results.push(message);
  }
  return results;
}
