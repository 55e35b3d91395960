import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { AgentMessage, CustomMessage } from "../../core/types.js";
import { readBlocks, writeBlocks } from "./blocks.js";
import { isTime, isTurnRole, NAME } from "./wire.js";

/** A turn of an unknown role becomes a `custom` message of this type, and is written back as that turn. */
const customType = `${NAME}/turn`;

export function readUnknownRole(turn: JsonRecord, timestamp: number, at: string): CustomMessage {
  const { content, ...data } = turn;
  const message: CustomMessage = { role: "custom", customType, data, timestamp };
  if (typeof content === "string") message.content = content;
  else if (Array.isArray(content)) message.content = readBlocks(content, [], undefined, `${at}/content`);
  else if (content !== undefined) message.data = turn;
  return message;
}

export function isUnknownRole(message: AgentMessage): message is CustomMessage & { data: JsonRecord } {
  if (message.role !== "custom" || message.customType !== customType || !isObject(message.data)) return false;
  const { role, timestamp } = message.data;
  return typeof role === "string" && !isTurnRole(role) && (timestamp === undefined || isTime(timestamp));
}

export function writeUnknownRole({ data, content }: CustomMessage & { data: JsonRecord }): JsonRecord {
  if (content === undefined) return data;
  return { ...data, content: typeof content === "string" ? content : writeBlocks(content).content };
}
