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
  /** Whether calls and results say their ids. */
  ids: boolean;
  /** Whether the model refuses calls without a signature. */
  signatures: boolean;
}

/**
 * Messages as contents. Users and models take turns, so neighbours of one role are merged, unless they were apart
 * where they came from. Messages that are not for a model have no place here.
 */
export function writeContents(messages: readonly AgentMessage[], writing: Writing): JsonObject[] {
  const anonymous = new Set(messages.flatMap(callsWithoutId));
  const names = new Map(messages.flatMap(callNames));
  const turns: Turn[] = [];
  for (const message of messages) {
    for (const [index, next] of turnsOf(named(message, names), writing, anonymous).entries()) {
      const last = turns.at(-1);
      const goesOn = index === 0 && last?.role === next.role && next.notes["apart"] !== true;
      if (!goesOn) turns.push(next);
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

/** A response must name its function. What a source does not say, the call does. */
function named(message: AgentMessage, names: ReadonlyMap<string, string>): AgentMessage {
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

/** What Google wants on a call that another model made: without it Gemini 3 refuses the whole history. */
export const UNSIGNED = "skip_thought_signature_validator";

/** Of calls made together the first one is signed; where none is, it is marked as made elsewhere. */
function withForeignSignatures(contents: readonly JsonObject[][]): JsonObject[][] {
  const calls = contents.flat().filter((part) => isObject(part["functionCall"]));
  if (calls.some((part) => part["thoughtSignature"] !== undefined)) return [...contents];
  return contents.map((parts) =>
    parts.map((part) => (part === calls[0] ? { ...part, thoughtSignature: UNSIGNED } : part)),
  );
}

function writeTurn({ role, notes, parts }: Turn): JsonObject {
  const said = notes["role"] === null ? {} : { role: notes["role"] === "function" ? "function" : role };
  const given = notes["noParts"] === true && parts.length === 0 ? {} : { parts };
  return { ...within(notes, "rest"), ...said, ...given };
}
