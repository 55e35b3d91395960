import { isObject, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import type { AgentMessage } from "../../core/types.js";
import { notesOf, within } from "./notes.js";
import { writeParts, writeResult } from "./parts.js";
import { writeAnswer } from "./pieces.js";

interface Turn {
  role: "user" | "model";
  notes: JsonObject;
  parts: JsonObject[];
}

export interface Writing {
  /** Whether calls and results are written with their ids. */
  ids: boolean;
  /** Whether the model refuses calls without a signature. */
  signatures: boolean;
}

/**
 * Messages as contents. The roles alternate, so consecutive messages with one role are merged, unless they were separate
 * in the request that was read. Messages that are not for a model are left out.
 */
export function writeContents(messages: readonly AgentMessage[], writing: Writing): JsonObject[] {
  const anonymous = new Set(messages.flatMap(callsWithoutId));
  const names = new Map(messages.flatMap(callNames));
  const turns: Turn[] = [];
  for (const message of messages) {
    for (const [index, next] of turnsOf(nameResult(message, names), writing, anonymous).entries()) {
      const last = turns.at(-1);
      const continues = index === 0 && last?.role === next.role && next.notes["apart"] !== true;
      if (!continues) turns.push(next);
      else for (const part of next.parts) last.parts.push(part);
    }
  }
  return turns.map(writeTurn);
}

function turnsOf(
  message: AgentMessage,
  { ids, signatures }: Writing,
  anonymous: ReadonlySet<string>,
): Turn[] {
  const notes = within(notesOf(message), "content");
  switch (message.role) {
    case "user": {
      const { content } = message;
      const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
      return [{ role: "user", notes, parts: writeParts(blocks, ids) }];
    }
    case "assistant": {
      const contents = writeAnswer(message.content, ids);
      const parts = signatures ? withForeignSignatures(contents) : contents;
      return parts.map((some, index) => ({ role: "model", notes: index === 0 ? notes : {}, parts: some }));
    }
    case "toolResult": {
      const isNamed = ids && !anonymous.has(message.toolCallId);
      return [{ role: "user", notes, parts: writeResult(message, isNamed) }];
    }
    default:
      return [];
  }
}

/** A function response must name its function. If the result does not name it, its call does. */
function nameResult(message: AgentMessage, names: ReadonlyMap<string, string>): AgentMessage {
  if (message.role !== "toolResult" || !isSynthesised(message, "/toolName")) return message;
  return { ...message, toolName: names.get(message.toolCallId) ?? message.toolName };
}

function callNames(message: AgentMessage): [string, string][] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block): [string, string][] =>
    block.type === "toolCall" ? [[block.id, block.name]] : [],
  );
}

function callsWithoutId(message: AgentMessage): string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block) =>
    block.type === "toolCall" && notesOf(block)["noId"] === true ? [block.id] : [],
  );
}

/** Google's marker for calls by another model. Without it Gemini 3 refuses the whole history. */
export const UNSIGNED = "skip_thought_signature_validator";

/** Gemini signs the first of several calls. If none is signed, the first one gets the marker. */
function withForeignSignatures(contents: readonly JsonObject[][]): JsonObject[][] {
  const calls = contents.flat().filter((part) => isObject(part["functionCall"]));
  if (calls.some((part) => part["thoughtSignature"] !== undefined)) return [...contents];
  return contents.map((parts) =>
    parts.map((part) => (part === calls[0] ? { ...part, thoughtSignature: UNSIGNED } : part)),
  );
}

function writeTurn({ role, notes, parts }: Turn): JsonObject {
  const roleField = notes["role"] === null ? {} : { role: notes["role"] === "function" ? "function" : role };
  const partsField = notes["noParts"] === true && parts.length === 0 ? {} : { parts };
  return { ...within(notes, "rest"), ...roleField, ...partsField };
}
