import { DragomanError } from "../core/error.js";
import { newId } from "../core/ids.js";
import { parseJson } from "../core/json/parse.js";
import { plainCopy } from "../core/json/plain-copy.js";
import { writeJson } from "../core/json/write.js";
import { headerExt } from "../core/message/notes.js";
import type { AgentMessage, SessionMessage } from "../core/types.js";
import { parse } from "../core/validate.js";
import { agentOf, canonicalKey, checkAgent, isSafeId } from "./key.js";
import type { NewSession } from "./types.js";

/** Longer lines could not be read back safely. In UTF-8 a line has at most three times as many bytes. */
const MAX_LINE_LENGTH = 128 * 1024 * 1024;
export const MAX_LINE_BYTES = 3 * MAX_LINE_LENGTH;

/** Messages as they will be read back, and the lines they are stored as, without line ends. */
export interface Serialised {
  messages: AgentMessage[];
  lines: string[];
}

/**
 * Gives each message an id if it has none. Validates what a reader will get, not what was given: JSON turns a timestamp of
 * NaN into null.
 * Throws `model/invalid`, `json/too-deep` or `framing/line-too-long`.
 */
export function serialiseMessages(given: readonly AgentMessage[]): Serialised {
  const read: unknown[] = [];
  const lines: string[] = [];
  for (const message of given) {
    const copy = plainCopy(message);
    if (copy !== undefined && message.id === undefined) copy["id"] = newId();
    const line = writeJson(copy ?? (message.id === undefined ? { ...message, id: newId() } : message));
    if (line.length > MAX_LINE_LENGTH) {
      throw new DragomanError("framing/line-too-long", "the message is too long to be stored", {
        at: `/messages/${lines.length}`,
      });
    }
    read.push(copy ?? parseJson(line));
    lines.push(line);
  }
  const { messages } = parse("Conversation", { messages: read });
  return { messages, lines };
}

/** The first line of a session. */
export function headerOf(
  { agent, id = newId(), key, title, parent, meta }: NewSession,
  timestamp: number,
): SessionMessage & { id: string } {
  checkAgent(agent);
  if (!isSafeId(id)) throw new DragomanError("model/invalid", `${JSON.stringify(id)} is not a session id`);
  const ofKey = key === undefined ? agent : agentOf(key);
  if (key !== undefined && ofKey !== agent) {
    const message = `the session key "${key}" belongs to the agent ${ofKey}, not to ${agent}`;
    throw new DragomanError("log/bad-key", message);
  }
  const header = {
    role: "session" as const,
    id,
    agent,
    ...(key === undefined ? {} : { key: canonicalKey(key) }),
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
    timestamp,
    ...(meta === undefined ? {} : { ext: headerExt(meta) }),
  };
  // As it will be read back.
  return { ...parse("SessionMessage", parseJson(writeJson(header))), id };
}
