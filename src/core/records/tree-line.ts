import { isObject, type JsonObject } from "../json/value.js";
import type { AgentMessage } from "../types.js";
import { restore } from "./deviation.js";

/*
 * Lines of programs whose sessions are trees: each has a `parentUuid`, and those of sub-agents have `isSidechain`. A parent
 * that we would not write is noted as `parent`: the `parentUuid`, and the `parentId` that it was read as.
 */

/** The line as it was read. The noted parent applies as long as the message has the same one. */
export function restoreTreeLine(ours: JsonObject, notes: JsonObject, message?: AgentMessage): JsonObject {
  const record = restore(ours, notes);
  const { parent } = notes;
  if (!Array.isArray(parent) || message === undefined || parent[1] !== (message.parentId ?? null))
    return record;
  return { ...record, parentUuid: parent[0] };
}

/** Whether a message with these notes is part of a sub-agent's branch. */
export function isSideLine({ fields }: JsonObject): boolean {
  return isObject(fields) && fields["isSidechain"] === true;
}
