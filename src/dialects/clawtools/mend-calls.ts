import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { mendArguments } from "../../core/message/mend-message.js";
import { isOpenAiCall, isToolUse, type OpenAiCall } from "./foreign-shapes.js";
import { type Block, hasType } from "./wire.js";

/** Rewrites other formats' calls, in the content or in `tool_calls`, as `toolCall` blocks. */
export function mendAssistant(record: JsonRecord, changes: string[]): JsonRecord {
  const { tool_calls: calls, ...others } = withOwnBlocks(record, changes);
  if (calls === null || (Array.isArray(calls) && calls.length === 0)) {
    changes.push("The empty tool_calls was removed.");
    return others;
  }
  const content = blocksOf(others["content"]);
  if (content === undefined || !Array.isArray(calls) || !calls.every(isOpenAiCall)) {
    return calls === undefined ? others : { ...others, tool_calls: calls };
  }
  const added = calls.flatMap((call) => callOf(call, content, changes));
  return { ...others, content: [...content, ...added] };
}

function withOwnBlocks(record: JsonRecord, changes: string[]): JsonRecord {
  const { content } = record;
  if (!Array.isArray(content)) return record;
  return { ...record, content: content.map((block: unknown) => ownBlock(block, changes)) };
}

function ownBlock(block: unknown, changes: string[]): unknown {
  if (isToolUse(block)) {
    const { type: _, id, name, input, ...others } = block;
    changes.push(`The tool_use block ${JSON.stringify(id)} became a toolCall block.`);
    return { ...toolCall(id, name, input, changes), ...others };
  }
  if (!hasType(block, "toolCall") || !isString(block["arguments"])) return block;
  const args = mendArguments(block["arguments"], block["id"], changes);
  return isObject(args) ? { ...block, arguments: args } : block;
}

/** The content as blocks; undefined if it is not valid content. */
function blocksOf(content: unknown): unknown[] | undefined {
  if (Array.isArray(content)) return content;
  if (content === undefined || content === null || content === "") return [];
  return isString(content) ? [{ type: "text", text: content }] : undefined;
}

function callOf(call: OpenAiCall, content: readonly unknown[], changes: string[]): Block[] {
  const { type: _, id, function: called, ...others } = call;
  const { name, arguments: given, ...more } = called;
  // Some programs write each call in both places.
  if (content.some((block) => hasType(block, "toolCall") && block["id"] === id)) {
    changes.push(`The call ${JSON.stringify(id)} in tool_calls was removed: the content already has it.`);
    return [];
  }
  changes.push(`The call ${JSON.stringify(id)} in tool_calls became a toolCall block.`);
  return [{ ...toolCall(id, name, given, changes), ...more, ...others }];
}

function toolCall(id: string, name: string, given: unknown, changes: string[]): Block {
  const args = mendArguments(given, id, changes);
  if (!isObject(args)) {
    const call = `the call ${JSON.stringify(id)}`;
    changes.push(`The arguments of ${call} are not a JSON object and were left unchanged.`);
  }
  return { type: "toolCall", id, name, arguments: args };
}
