import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import { SignatureReader } from "../../core/message/provider-metadata.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  CustomMessage,
  ToolResultMessage,
} from "../../core/types.js";
import { apiOf, decodeAssistantPart, decodeUserPart } from "./blocks.js";
import { addNotes, extWith } from "./notes.js";
import { decodeResult } from "./tool-result.js";
import { isToolMessage, NO_TOOL_PARTS, TOOL_PART } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.flatMap((record, index) => {
    const messages = messagesOf(record, `/${index}`);
    const [first] = messages;
    const before = unit[index - 1];
    if (first !== undefined && before !== undefined && isToolMessage(before) && isToolMessage(record)) {
      addNotes(first, { apart: true });
    }
    return messages.map((message) => ({ message, record: index }));
  });
}

/** The fields that no message of this format has. */
const UNDATED = ["/timestamp"];

function messagesOf(record: JsonRecord, at: string): AgentMessage[] {
  const { role, content, ...fields } = record;
  switch (role) {
    case "system":
      if (!isString(content)) throw invalid(`${at}/content`, "a string");
      return [{ role, content, timestamp: 0, ...extWith({ fields }, UNDATED) }];
    case "user": {
      const blocks = isString(content) ? content : listOf(content, at).map(decodeUserPart);
      const empty = blocks.length === 0 && !isString(blocks) ? { empty: true } : {};
      return [{ role, content: blocks, timestamp: 0, ...extWith({ fields, ...empty }, UNDATED) }];
    }
    case "assistant":
      return decodeAnswer(content, fields, at);
    case "tool":
      return decodeTool(content, fields, at);
    default:
      throw invalid(`${at}/role`, 'the role "system", "user", "assistant" or "tool"');
  }
}

/** An answer, then the results of the tools that the provider executed. */
function decodeAnswer(content: unknown, fields: JsonObject, at: string): AgentMessage[] {
  const string = isString(content) ? { string: true } : {};
  const parts = isString(content) ? [{ type: "text", text: content }] : listOf(content, at);
  const api = apiOf(parts);
  const signatures = new SignatureReader(api);
  const results: ToolResultMessage[] = [];
  const blocks = parts.flatMap((part, index): AssistantContent[] => {
    const result = decodeResult(part);
    if (result === undefined) return [decodeAssistantPart(part, signatures)];
    addNotes(result, { inline: index });
    results.push(result);
    return [];
  });
  const answer: AssistantMessage = {
    role: "assistant",
    content: blocks,
    ...neutralOrigin(blocks),
    api,
    timestamp: 0,
    ...extWith({ ...string, fields }, [
      ...(api === "" ? ["/api"] : []),
      ...["/provider", "/model", "/usage", "/stopReason"],
      ...UNDATED,
    ]),
  };
  return [answer, ...results];
}

/** A message for each part. A part that is not a result is for programs, so it becomes a custom message. */
function decodeTool(content: unknown, fields: JsonObject, at: string): AgentMessage[] {
  const messages = listOf(content, at).map(
    (part): AgentMessage => decodeResult(part) ?? customMessage(TOOL_PART, { data: part }),
  );
  const [first = customMessage(NO_TOOL_PARTS), ...others] = messages;
  addNotes(first, { fields });
  return [first, ...others];
}

function customMessage(customType: string, data: Pick<CustomMessage, "data"> = {}): CustomMessage {
  return { role: "custom", customType, ...data, timestamp: 0, ...extWith({}, UNDATED) };
}

function listOf(content: unknown, at: string): unknown[] {
  if (Array.isArray(content)) return content;
  throw invalid(`${at}/content`, "content: a string or an array of parts");
}

function invalid(at: string, expected: string): DragomanError {
  return new DragomanError("model/invalid", `expected ${expected}`, { at });
}
