import { defined } from "../../core/json/defined.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { readDataUrl } from "../../core/message/media.js";
import { deviations, restore } from "../../core/records/deviation.js";
import { isToolPart, toolOf } from "./wire.js";

/*
 * AI SDK 4 wrote the text of a message in `content`, its time in `createdAt` and its calls in `toolInvocations`. Later 4.x
 * releases added `parts` with other part types. Such a record is read as the record of today's SDK that means the same:
 *
 *     { id, role, content, createdAt?, parts?, toolInvocations?, reasoning?, experimental_attachments? }
 *     { type: "tool-invocation", toolInvocation: { state: "partial-call" | "call" | "result", toolCallId, toolName, args, result? } }
 *     { type: "reasoning", reasoning, details? }   { type: "file", mimeType, data }   { type: "source", source: { sourceType, id, url } }
 *
 * and the note `version4` records its form and its deviations from what `downgrade` makes of it.
 */

/** Which of these fields a record had: they state the same more than once, or in another place. */
const FORM_FIELDS = [
  "parts",
  "content",
  "toolInvocations",
  "reasoning",
  "experimental_attachments",
  "createdAt",
] as const;

type Form = { [F in (typeof FORM_FIELDS)[number]]?: true };

const states: readonly (readonly [string, string])[] = [
  ["partial-call", "input-streaming"],
  ["call", "input-available"],
  ["result", "output-available"],
];

/** The record in today's form; the record itself if it has that form. */
export function upgrade(record: JsonObject): JsonObject {
  if (!isVersion4(record)) return record;
  const {
    content,
    createdAt,
    parts,
    toolInvocations,
    reasoning,
    experimental_attachments: attached,
    ...rest
  } = record;
  const written = Array.isArray(parts) ? parts : impliedParts(toolInvocations, reasoning, content);
  const files = Array.isArray(attached) ? attached.map(fileOf) : [];
  const { metadata = {} } = rest;
  const isDated = createdAt !== undefined && isObject(metadata);
  const dated = isDated ? { metadata: { createdAt, ...metadata } } : {};
  return { ...rest, ...dated, parts: [...written.map(upgradePart), ...files] };
}

export function noteVersion4(record: JsonObject, upgraded: JsonObject): { version4: JsonObject } {
  const form: Form = {};
  for (const field of FORM_FIELDS) {
    if (Object.hasOwn(record, field)) form[field] = true;
  }
  return { version4: { ...form, ...deviations(record, downgrade(upgraded, form), { guarded: true }) } };
}

/** The record as AI SDK 4 wrote it, if its note states so. */
export function asVersion4(record: JsonObject, note: unknown): JsonObject {
  return isObject(note) ? restore(downgrade(record, note), note) : record;
}

/** Whether AI SDK 4 wrote the record. */
export function isVersion4({ role, content, toolInvocations, parts }: JsonObject): boolean {
  if (!isString(role)) return false;
  if (isString(content) || Array.isArray(toolInvocations)) return true;
  return (
    Array.isArray(parts) &&
    parts.some((part) => typeOf(part) === "tool-invocation" && upgradePart(part) !== part)
  );
}

/** The parts of a record without `parts`, in the order in which AI SDK 4 showed them. */
function impliedParts(toolInvocations: unknown, reasoning: unknown, content: unknown): unknown[] {
  const calls: unknown[] = Array.isArray(toolInvocations) ? toolInvocations : [];
  return [
    ...calls.map((toolInvocation) => ({ type: "tool-invocation", toolInvocation })),
    ...(isString(reasoning) ? [{ type: "reasoning", reasoning }] : []),
    ...(isString(content) && (content !== "" || calls.length === 0) ? [{ type: "text", text: content }] : []),
  ];
}

function upgradePart(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type, toolInvocation, reasoning, mimeType, data, source, ...rest } = part;
  if (type === "tool-invocation" && isObject(toolInvocation))
    return upgradeCall(toolInvocation, rest) ?? part;
  if (type === "reasoning" && isString(reasoning)) return { type, text: reasoning, ...rest };
  if (type === "source" && isObject(source) && source["sourceType"] === "url") {
    const { sourceType: _, id, ...others } = source;
    return defined({ type: "source-url", sourceId: id, ...others, ...rest });
  }
  if (type === "file" && isString(mimeType) && isString(data)) {
    return { type, mediaType: mimeType, url: `data:${mimeType};base64,${data}`, ...rest };
  }
  return part;
}

function upgradeCall(invocation: JsonObject, beside: JsonObject): JsonObject | undefined {
  const { state, toolCallId, toolName, args, result, ...rest } = invocation;
  const to = states.find(([name]) => name === state)?.[1];
  if (to === undefined || !isString(toolName) || Object.keys(beside).length > 0) return undefined;
  return defined({ type: `tool-${toolName}`, toolCallId, state: to, input: args, output: result, ...rest });
}

function fileOf(attachment: unknown): unknown {
  if (!isObject(attachment)) return attachment;
  const { contentType = "application/octet-stream", url, name, ...rest } = attachment;
  return defined({ type: "file", mediaType: contentType, url, filename: name, ...rest });
}

function downgrade(record: JsonObject, form: Form | JsonObject): JsonObject {
  const { metadata, parts, ...rest } = record;
  const all: unknown[] = Array.isArray(parts) ? parts : [];
  const end =
    form.experimental_attachments === true
      ? all.findLastIndex((part) => typeOf(part) !== "file")
      : all.length;
  const written = all.slice(0, end + 1).map(downgradePart);
  const { createdAt, ...others } = isObject(metadata) ? metadata : {};
  const isDated = form.createdAt === true && createdAt !== undefined;
  const isPlain = form.parts !== true && isImplied(written, form);
  return {
    ...rest,
    ...(isDated ? { createdAt } : {}),
    ...(!isDated && metadata !== undefined ? { metadata } : {}),
    ...(isDated && Object.keys(others).length > 0 ? { metadata: others } : {}),
    ...(form.content === true ? { content: written.map((part) => textOf(part, "text")).join("") } : {}),
    ...(form.toolInvocations === true ? { toolInvocations: written.flatMap(invocationOf) } : {}),
    ...(form.reasoning === true
      ? { reasoning: written.map((part) => textOf(part, "reasoning")).join("") }
      : {}),
    ...(form.experimental_attachments === true
      ? { experimental_attachments: all.slice(end + 1).map(attachmentOf) }
      : {}),
    ...(isPlain ? {} : { parts: written }),
  };
}

function downgradePart(part: unknown): unknown {
  if (isToolPart(part)) return downgradeCall(part);
  if (!isObject(part)) return part;
  const { type, text, mediaType, url, ...rest } = part;
  if (type === "reasoning" && isString(text)) return { type, reasoning: text, ...rest };
  if (type === "source-url") {
    const { sourceId: id, ...others } = rest;
    return { type: "source", source: defined({ sourceType: "url", id, url, ...others }) };
  }
  const bytes = type === "file" && isString(url) ? readDataUrl(url) : undefined;
  return bytes === undefined ? part : defined({ type, mimeType: mediaType, data: bytes.data, ...rest });
}

/** AI SDK 4 has no state for an error, so the error is the result. */
function downgradeCall(part: JsonObject & { toolCallId: string }): JsonObject {
  const { type: _, toolName: __, toolCallId, state, input, output, errorText, ...rest } = part;
  const result = errorText === undefined ? output : errorText;
  const toolInvocation = defined({
    state: states.find(([, name]) => name === state)?.[0] ?? (result === undefined ? "call" : "result"),
    toolCallId,
    toolName: toolOf(part).name,
    args: input,
    result,
    ...rest,
  });
  return { type: "tool-invocation", toolInvocation };
}

/** Whether a record of this form can state these without `parts`: calls, then reasoning, then a text. */
function isImplied(parts: readonly unknown[], form: Form | JsonObject): boolean {
  const ranks = parts.map((part) => ["tool-invocation", "reasoning", "text"].indexOf(String(typeOf(part))));
  const fields = [form.toolInvocations, form.reasoning, form.content];
  return ranks.every((rank, index) => {
    const before = ranks[index - 1] ?? 0;
    return fields[rank] === true && (rank > before || (rank === 0 && before === 0));
  });
}

function attachmentOf(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type: _, mediaType, url, filename, ...rest } = part;
  return defined({ name: filename, contentType: mediaType, url, ...rest });
}

function invocationOf(part: unknown): unknown[] {
  const { type, toolInvocation } = isObject(part) ? part : {};
  return type === "tool-invocation" && toolInvocation !== undefined ? [toolInvocation] : [];
}

/** The text of a part of this type, in the field of the same name. */
function textOf(part: unknown, type: "text" | "reasoning"): string {
  return isObject(part) && part["type"] === type && isString(part[type]) ? part[type] : "";
}

function typeOf(part: unknown): unknown {
  return isObject(part) ? part["type"] : undefined;
}
