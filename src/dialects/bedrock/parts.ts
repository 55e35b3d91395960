import { jsonIn } from "../../core/json/parse.js";
import { hasExactly, isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  OpaqueContent,
  TextContent,
  ThinkingContent,
  UserContent,
} from "../../core/types.js";
import { readDocument, readImage, writeDocument, writeImage } from "./media.js";
import { extWith, notesOf } from "./notes.js";
import {
  type AnswerBlock,
  type Block,
  type GivenBlock,
  memberOf,
  NAME,
  objectIn,
  type TextBlock,
} from "./wire.js";

/** A block of an answer. Blocks of an unknown kind or shape are kept unchanged. */
export function readAnswerBlock(wire: Block): AssistantContent {
  const block = knownAnswerBlock(wire);
  if (block === undefined) return opaque(wire);
  return withDeviation(block, wire, plainAnswerBlock(block));
}

function knownAnswerBlock(wire: Block): AssistantContent | undefined {
  const { kind, value } = memberOf(wire) ?? {};
  switch (kind) {
    case "text":
      return typeof value === "string" ? { type: "text", text: value } : undefined;
    case "reasoningContent":
      return isObject(value) ? readReasoning(value) : undefined;
    case "toolUse": {
      if (!isObject(value)) return undefined;
      const { toolUseId: id, name, input } = value;
      const isCall = typeof id === "string" && typeof name === "string" && isObject(input);
      // The service runs calls that have a type.
      return isCall && value["type"] === undefined
        ? { type: "toolCall", id, name, arguments: input }
        : undefined;
    }
    case "citationsContent":
      return isObject(value) ? readCited(value) : undefined;
    default:
      return undefined;
  }
}

function readReasoning(value: JsonObject): ThinkingContent | undefined {
  const { redactedContent } = value;
  if (typeof redactedContent === "string" && hasExactly(value, "redactedContent")) {
    return { type: "thinking", thinking: "", redacted: true, thinkingSignature: redactedContent };
  }
  const { text, signature } = objectIn(value, "reasoningText") ?? {};
  if (typeof text !== "string" || !hasExactly(value, "reasoningText")) return undefined;
  if (signature === undefined) return { type: "thinking", thinking: text };
  return typeof signature === "string"
    ? { type: "thinking", thinking: text, thinkingSignature: signature }
    : undefined;
}

/** Text with its citations. Our model cannot represent several pieces of text. */
function readCited(value: JsonObject): TextContent | undefined {
  const { content, citations } = value;
  if (!Array.isArray(content) || !Array.isArray(citations) || content.length !== 1) return undefined;
  const [piece]: unknown[] = content;
  if (!isObject(piece) || !hasExactly(piece, "text") || typeof piece["text"] !== "string") return undefined;
  if (!hasExactly(value, "content", "citations")) return undefined;
  return { type: "text", text: piece["text"], ...extWith({ citations }) };
}

/** Undefined for blocks that an answer of this API cannot contain. */
export function writeAnswerBlock(block: AssistantContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const plain = plainAnswerBlock(block);
  return plain === undefined ? undefined : restore(plain, notesOf(block));
}

function plainAnswerBlock(block: AssistantContent): AnswerBlock | undefined {
  switch (block.type) {
    case "text": {
      const { citations } = notesOf(block);
      if (!Array.isArray(citations)) return plainText(block);
      return { citationsContent: { content: [{ text: block.text }], citations } };
    }
    case "thinking":
      return plainThinking(block);
    case "toolCall":
      return { toolUse: { toolUseId: block.id, name: block.name, input: block.arguments } };
    default:
      return undefined;
  }
}

/** Undefined for a blank text that only carries a signature: the API refuses it. */
function plainText({ text, textSignature }: TextContent): TextBlock | undefined {
  return textSignature !== undefined && text.trim() === "" ? undefined : { text };
}

function plainThinking({
  thinking: text,
  redacted,
  thinkingSignature: signature,
}: ThinkingContent): AnswerBlock {
  if (redacted === true) return { reasoningContent: { redactedContent: signature ?? "" } };
  return { reasoningContent: { reasoningText: { text, ...(signature === undefined ? {} : { signature }) } } };
}

/** A block of a user message or of a tool result. */
export function readGivenBlock(wire: Block): UserContent {
  const block = knownGivenBlock(wire);
  if (block === undefined) return opaque(wire);
  return withDeviation(block, wire, plainGivenBlock(block));
}

function knownGivenBlock(wire: Block): UserContent | undefined {
  const { kind, value } = memberOf(wire) ?? {};
  switch (kind) {
    case "text":
      return typeof value === "string" ? { type: "text", text: value } : undefined;
    case "image":
      return isObject(value) ? readImage(value) : undefined;
    case "document":
      return isObject(value) ? readDocument(value) : undefined;
    case "json":
      // Every other API has a tool's JSON as text.
      return { type: "text", text: JSON.stringify(value), ...extWith({ json: true }) };
    default:
      return undefined;
  }
}

/** Undefined for blocks that a message to this API cannot contain. */
export function writeGivenBlock(block: UserContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const plain = plainGivenBlock(block);
  if (plain === undefined) return undefined;
  const written = restore(plain, notesOf(block));
  const document = objectIn(written, "document");
  // A document that was read has the name that was noted, until it is edited.
  const isNamed = block.type !== "file" || document?.["name"] === block.name;
  return isNamed
    ? written
    : { ...written, document: { ...document, name: objectIn(plain, "document")?.["name"] } };
}

function plainGivenBlock(block: UserContent): GivenBlock | JsonObject | undefined {
  switch (block.type) {
    case "text":
      return notesOf(block)["json"] === true ? jsonBlock(block) : plainText(block);
    case "image":
      return writeImage(block);
    case "file":
      return writeDocument(block);
    default:
      return undefined;
  }
}

/** A JSON block; a text block if the text is no longer JSON. */
function jsonBlock(block: TextContent): JsonObject | undefined {
  const json = jsonIn(block.text);
  return json === undefined ? plainText(block) : { json };
}

/** Notes how the block differs from the one that we would write. */
function withDeviation<B extends AssistantContent | UserContent>(
  block: B,
  wire: Block,
  plain: JsonObject | undefined,
): B | OpaqueContent {
  if (plain === undefined) return opaque(wire);
  const deviation = deviations(wire, plain, { inside: "all" });
  return deviation === undefined ? block : { ...block, ...extWith({ ...notesOf(block), ...deviation }) };
}

function opaque(value: Block): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

function ownValue({ dialect, value }: OpaqueContent): JsonObject | undefined {
  return dialect === NAME && isObject(value) ? value : undefined;
}
