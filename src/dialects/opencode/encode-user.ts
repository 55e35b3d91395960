import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import { promptText } from "../../core/shown/system-prompt.js";
import type { CompactionMessage, SystemMessage, UserContent, UserMessage } from "../../core/types.js";
import { writePart } from "./blocks.js";
import { type Before, idAfter, type Model, partFrame, timeAfter, UNKNOWN_MODEL } from "./frame.js";
import { keptIn, notesOf } from "./notes.js";
import { joinParts } from "./parts.js";
import { infoOf } from "./wire.js";

/** The agent that opencode uses by default. */
export const AGENT = "build";

/** A prompt's own fields; `model` is the one that answered it. */
export function userInfo(
  message: UserMessage | CompactionMessage,
  instructions: readonly SystemMessage[],
  before: Before,
  model: Model | undefined,
): JsonObject {
  const system = instructions.length === 0 ? {} : { system: instructions.map(promptText).join("\n\n") };
  return {
    id: idAfter(message, before),
    sessionID: before.sessionID,
    role: "user",
    time: { created: timeAfter(message, before) },
    agent: AGENT,
    model: model ?? before.model ?? UNKNOWN_MODEL,
    ...system,
  };
}

export function userRecord(
  message: UserMessage,
  instructions: readonly SystemMessage[],
  before: Before,
  model: Model | undefined,
): JsonRecord {
  const notes = notesOf(message);
  const ours = userInfo(message, instructions, before, model);
  const record = restore({ info: ours }, notes);
  const { content } = message;
  if (typeof content === "string") {
    return {
      ...record,
      parts: [{ ...partFrame(infoOf(record), ours, "text"), type: "text", text: content }],
    };
  }
  const write = (block: UserContent, place: number) =>
    writePart(block, partFrame(infoOf(record), ours, place));
  return { ...record, parts: joinParts(content, keptIn(notes), write) };
}
