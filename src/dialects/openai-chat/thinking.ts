import type { Flags } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantContent, ThinkingContent } from "../../core/types.js";
import { deviation, notesOf, opaqueIn, opaqueOf, restoreNoted, withNotes } from "./notes.js";
import { THINKING_FIELDS } from "./wire.js";

/** The list in which some servers send thinking with signatures, beside or instead of the plain text. */
export const DETAILS = "reasoning_details";

/** The fields for an answer's thinking. Only `reasoning_details` can represent signed thinking. */
export function writeThinking(content: readonly AssistantContent[], flags: Flags): JsonObject {
  const fields: Record<string, string> = {};
  const details: JsonObject[] = [];
  for (const block of content) {
    const detail = writeDetail(block);
    if (detail !== undefined) details.push(detail);
    else if (block.type === "thinking" && !isContentPart(block)) {
      const field = plainField(block, flags);
      fields[field] = (fields[field] ?? "") + block.thinking;
    }
  }
  for (const field of content.flatMap(repeatedIn)) fields[field] = details.map(textOrNone).join("");
  return { ...fields, ...(details.length > 0 ? { [DETAILS]: details } : {}) };
}

/** The plain field that repeats the text of `reasoning_details`. */
function repeatedIn(block: AssistantContent): string[] {
  const { repeated } = block.type === "thinking" ? notesOf(block) : {};
  return THINKING_FIELDS.filter((field) => field === repeated);
}

function plainField(block: ThinkingContent, { thinkingField }: Flags): string {
  const { field } = notesOf(block);
  return THINKING_FIELDS.find((known) => known === field) ?? thinkingField ?? "reasoning_content";
}

function writeDetail(block: AssistantContent): JsonObject | undefined {
  if (block.type === "opaque") return opaqueOf(block, DETAILS);
  if (block.type !== "thinking") return undefined;
  const notes = notesOf(block);
  const { thinkingSignature: signature, thinking, redacted } = block;
  if (signature === undefined && notes["field"] !== DETAILS) return undefined;
  return restoreNoted(plainDetail(thinking, signature, redacted === true, notes["summary"] === true), notes);
}

function plainDetail(
  thinking: string,
  signature: string | undefined,
  redacted: boolean,
  summary: boolean,
): JsonObject {
  if (redacted) return { type: "reasoning.encrypted", data: signature ?? "" };
  const signed = signature === undefined ? {} : { signature };
  if (summary) return { type: "reasoning.summary", summary: thinking, ...signed };
  return { type: "reasoning.text", text: thinking, ...signed };
}

/** The thinking blocks of an unstreamed answer. Text that is also in `reasoning_details` is read from there. */
export function readThinking(answer: JsonObject): AssistantContent[] {
  const list = answer[DETAILS];
  const details = Array.isArray(list) && list.every(isObject) ? list : [];
  const detailed = details.map(textOrNone).join("");
  const blocks: AssistantContent[] = details.map(readDetail);
  const plain = new Set([""]);
  for (const field of THINKING_FIELDS) {
    const thinking = answer[field];
    if (typeof thinking !== "string" || plain.has(thinking)) continue;
    plain.add(thinking);
    const [first] = blocks;
    if (thinking === detailed && first !== undefined) blocks[0] = withNotes(first, { repeated: field });
    else blocks.push(plainThinking(thinking, field));
  }
  return blocks;
}

export function textOrNone(detail: JsonObject): string {
  return textOfDetail(detail) ?? "";
}

/** A thinking block with a note of its field, unless that is `reasoning_content`. */
export function plainThinking(thinking: string, field: (typeof THINKING_FIELDS)[number]): ThinkingContent {
  return withNotes<ThinkingContent>(
    { type: "thinking", thinking },
    field === "reasoning_content" ? {} : { field },
  );
}

/** The text of a detail; undefined for kinds without text, which are not streamed. */
export function textOfDetail({ type, text, summary }: JsonObject): string | undefined {
  if (type === "reasoning.text") return typeof text === "string" ? text : "";
  if (type === "reasoning.summary" && typeof summary === "string") return summary;
  return undefined;
}

export function readDetail(detail: JsonObject): AssistantContent {
  const block = knownDetail(detail);
  if (block === undefined) return opaqueIn(DETAILS, detail);
  return withNotes(block, deviation(detail, writeDetail(block) ?? {}));
}

function knownDetail(detail: JsonObject): ThinkingContent | undefined {
  const { type, data, signature } = detail;
  if (type === "reasoning.encrypted" && typeof data === "string") {
    const block: ThinkingContent = {
      type: "thinking",
      thinking: "",
      thinkingSignature: data,
      redacted: true,
    };
    return withNotes(block, { field: DETAILS });
  }
  const thinking = textOfDetail(detail);
  if (thinking === undefined) return undefined;
  const block: ThinkingContent = {
    type: "thinking",
    thinking,
    ...(typeof signature === "string" ? { thinkingSignature: signature } : {}),
  };
  return withNotes(block, { field: DETAILS, ...(type === "reasoning.summary" ? { summary: true } : {}) });
}

/** Mistral sends thinking as a content part: `{"type":"thinking","thinking":[{"type":"text","text":"…"}]}`. */
export function isContentPart(block: AssistantContent): boolean {
  return block.type === "thinking" && notesOf(block)["field"] === "content";
}

export function writeThinkingPart(block: ThinkingContent): JsonObject {
  const part = { type: "thinking", thinking: [{ type: "text", text: block.thinking }] };
  return restoreNoted(part, notesOf(block));
}

/** The thinking in such a part; undefined for other parts. */
export function readThinkingPart(part: JsonObject): ThinkingContent | undefined {
  const { type, thinking } = part;
  if (type !== "thinking") return undefined;
  const pieces = Array.isArray(thinking) ? thinking : [{ type: "text", text: thinking }];
  const texts = pieces.flatMap((piece) =>
    isObject(piece) && piece["type"] === "text" && typeof piece["text"] === "string" ? [piece["text"]] : [],
  );
  if (texts.length < pieces.length) return undefined;
  const block = withNotes<ThinkingContent>(
    { type: "thinking", thinking: texts.join("") },
    { field: "content" },
  );
  return withNotes(block, deviation(part, writeThinkingPart(block)));
}
