import { isObject, isString } from "../../core/json/value.js";
import { type ResponseGroup, responsesIn } from "../../core/records/content-parts.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { ToolResultMessage, UserMessage } from "../../core/types.js";
import type { UnitLine } from "./decode-answer.js";
import { addNotes, extWith, readResponse, readUserPart } from "./notes.js";

/** The fields of a message that its line has for every type. */
type Base = Pick<UserMessage, "id" | "timestamp" | "ext">;

/** What the user wrote, or the results of calls if there is nothing else on the line. */
export function readUser(
  line: UnitLine,
  base: Base,
): [UserMessage] | [ToolResultMessage, ...ToolResultMessage[]] {
  const { content } = line.record;
  const [first, ...others] = responsesIn(content) ?? [];
  if (first === undefined) return [readPrompt(line, base)];
  const { id: _, ...unnamed } = base;
  const result = readResult(first, base);
  if (!Array.isArray(content)) addNotes(result, { shape: "part" });
  const merged = others.map((group) => {
    const next = readResult(group, unnamed);
    addNotes(next, { merged: true });
    return next;
  });
  return [result, ...merged];
}

function readPrompt({ record, at }: UnitLine, base: Base): UserMessage {
  const { content } = record;
  if (isString(content)) return { role: "user", content, ...base };
  if (!Array.isArray(content) && !isObject(content)) {
    throw unexpected(`${at}/content`, "text or a list of parts", content);
  }
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const message: UserMessage = { role: "user", content: parts.map(readUserPart), ...base };
  if (!Array.isArray(content)) addNotes(message, { shape: "part" });
  return message;
}

/** The first result on a line has the line's id. */
function readResult(group: ResponseGroup, { ext: marks, ...base }: Base): ToolResultMessage {
  const { ext, ...read } = readResponse(group);
  const unnamed = read.toolCallId === "" ? ["/toolCallId"] : [];
  const synthesised = [...(marks?.synthesised ?? []), ...unnamed];
  return { role: "toolResult", ...read, ...base, ...extWith({}, synthesised, ext) };
}
