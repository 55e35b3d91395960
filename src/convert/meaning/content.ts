import { resolvePointer } from "../../core/json/pointer.js";
import { isObject } from "../../core/json/value.js";
import { isBase64 } from "../../core/message/media.js";
import type { AssistantMessage } from "../../core/types.js";
import type { SourceMessage } from "../decode.js";
import { type Report, spotIn } from "../report.js";
import { type Block, blocksOf, isBlank, isModelMessage, type ModelMessage } from "./blocks.js";
import { finding } from "./catalogue.js";
import { mediaFindings } from "./media.js";
import type { Found, Rule } from "./rule.js";
import { brokenTexts } from "./surrogates.js";

/** Problems that show in a single message. */
export class ContentRule implements Rule {
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  check(source: SourceMessage): void {
    if (!isModelMessage(source.message)) return;
    // Data beside the content, such as another format's calls, would be lost with the message.
    if (isEmpty(source.message) && hasOtherParts(source)) return;
    for (const { path, ...found } of contentFindings(source.message)) {
      this.#report.add(spotIn(source, path), found);
    }
  }
}

function* contentFindings(message: ModelMessage): Generator<Found> {
  if (isEmpty(message)) {
    yield { path: ["content"], ...finding("content/empty-message", `the ${message.role} message is empty`) };
  } else if (typeof message.content === "string" && isBlank(message.content)) {
    yield { path: ["content"], ...finding("content/blank-text", "the text is blank") };
  }
  for (const { block, path } of blocksOf(message)) yield* blockFindings(block, message, path);
  for (const path of brokenTexts(message.content, ["content"])) {
    yield { path, ...finding("content/lone-surrogate", "the text contains half of a character") };
  }
}

const partsOfMessage = new Set(["content", "ext"]);

/** Whether the record has a list that our model does not read. */
function hasOtherParts({ origin, base = "" }: SourceMessage): boolean {
  const record = resolvePointer(origin?.value, base);
  if (!isObject(record)) return false;
  return Object.entries(record).some(
    ([key, value]) => Array.isArray(value) && value.length > 0 && !partsOfMessage.has(key),
  );
}

/** A tool's result may be empty, and so may a failed turn. */
function isEmpty(message: ModelMessage): boolean {
  if (message.role === "toolResult" || message.content.length > 0) return false;
  return message.role !== "assistant" || !["error", "aborted"].includes(message.stopReason);
}

function* blockFindings(
  block: Block,
  message: ModelMessage,
  path: readonly (string | number)[],
): Generator<Found> {
  switch (block.type) {
    case "text":
      // Some providers put a signature on a block that has no text.
      if (isBlank(block.text) && block.textSignature === undefined) {
        yield { path: [...path, "text"], ...finding("content/blank-text", "the text is blank") };
      }
      return;
    case "thinking":
      if (message.role === "assistant") yield* signatureFindings(block, message, path);
      return;
    case "toolCall":
      if (block.argumentsError !== undefined) {
        const text = `the arguments of the call "${block.id}" are not what the model wrote: ${block.argumentsError}`;
        yield { path: [...path, "arguments"], ...finding("content/arguments-error", text) };
      }
      return;
    case "image":
    case "audio":
    case "file":
      yield* mediaFindings(block, path);
  }
}

function* signatureFindings(
  block: Extract<Block, { type: "thinking" }>,
  { api }: AssistantMessage,
  path: readonly (string | number)[],
): Generator<Found> {
  const { thinkingSignature: signature, redacted } = block;
  if (signature === undefined) {
    if (redacted !== true) return;
    yield { path, ...finding("content/bad-signature", "redacted thinking without a signature is empty") };
  } else if (signature === "") {
    yield {
      path: [...path, "thinkingSignature"],
      ...finding("content/bad-signature", "the signature is empty"),
    };
  } else if (api === "anthropic-messages" && !isBase64(signature)) {
    // Other APIs store other things here: a whole item as JSON, or a field's name.
    const text = "this API's signatures are base64, but this one is not";
    yield { path: [...path, "thinkingSignature"], ...finding("content/bad-signature", text) };
  }
}
