import { resolvePointer } from "../../core/json/pointer.js";
import { isObject } from "../../core/json/value.js";
import { isBase64, typeOfBytes } from "../../core/message/media.js";
import { base64SignatureApis } from "../../dialects/registry.js";
import type { SourceMessage } from "../decode.js";
import { type Report, spotIn } from "../report.js";
import { type Block, blocksOf, isBlank, isModelMessage, type Media, type ModelMessage } from "./blocks.js";
import { finding } from "./catalogue.js";
import type { Found, Rule } from "./rule.js";
import { brokenTexts } from "./surrogates.js";

/** Reports problems within a single message. */
export function contentRule(report: Report): Rule {
  return {
    check(source) {
      if (!isModelMessage(source.message)) return;
      // Data beside the content, such as another format's calls, would be lost with the message.
      if (isEmpty(source.message) && hasOtherParts(source)) return;
      for (const { path, ...found } of contentFindings(source.message)) {
        report.add(spotIn(source, path), found);
      }
    },
  };
}

function* contentFindings(message: ModelMessage): Generator<Found> {
  if (isEmpty(message)) {
    yield { path: ["content"], ...finding("content/empty-message", `the ${message.role} message is empty`) };
  } else if (typeof message.content === "string" && isBlank(message.content)) {
    yield { path: ["content"], ...finding("content/blank-text", "the text is blank") };
  }
  const isBase64Api = message.role === "assistant" && base64SignatureApis.has(message.api);
  for (const { block, path } of blocksOf(message)) yield* blockFindings(block, path, isBase64Api);
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
  path: readonly (string | number)[],
  isBase64Api: boolean,
): Generator<Found> {
  switch (block.type) {
    case "text":
      // Some providers put a signature on a block that has no text.
      if (isBlank(block.text) && block.textSignature === undefined) {
        yield { path: [...path, "text"], ...finding("content/blank-text", "the text is blank") };
      }
      return;
    case "thinking":
      yield* signatureFindings(block, path, isBase64Api);
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
  { thinkingSignature: signature, redacted }: Extract<Block, { type: "thinking" }>,
  path: readonly (string | number)[],
  isBase64Api: boolean,
): Generator<Found> {
  if (signature === undefined) {
    if (redacted !== true) return;
    yield { path, ...finding("content/bad-signature", "redacted thinking without a signature is empty") };
  } else if (signature === "" || (isBase64Api && !isBase64(signature))) {
    const text =
      signature === "" ? "the signature is empty" : "this API's signatures are base64, but this one is not";
    yield { path: [...path, "thinkingSignature"], ...finding("content/bad-signature", text) };
  }
}

function* mediaFindings(block: Media, path: readonly (string | number)[]): Generator<Found> {
  if (block.data === undefined) return;
  const type = typeOfBytes(block.data);
  if (!isBase64(block.data)) {
    const text = block.data === "" ? `the ${block.type} has no bytes` : "the data is not base64";
    yield { path: [...path, "data"], ...finding("content/bad-base64", text) };
  } else if (type !== undefined && type !== block.mimeType.toLowerCase()) {
    const text = `the mime type is ${block.mimeType}, but the bytes are ${type}`;
    yield { path: [...path, "mimeType"], ...finding("content/mime-mismatch", text) };
  }
}
