import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import {
  isMedia,
  mediaTypeOf,
  mediaWithData,
  mediaWithUrl,
  withName,
} from "../../core/message/typed-media.js";
import type { AssistantContent, UserContent, UserMessage } from "../../core/types.js";
import { A2aError, invalidParams } from "./errors.js";
import type { A2aPart } from "./wire.js";

/** The parts of a client's message as content. A structured part is shown to the model as JSON. */
export function readParts(parts: readonly unknown[]): UserMessage["content"] {
  const blocks = parts.map(readPart);
  const [first, ...others] = blocks;
  if (first === undefined) throw invalidParams("message.parts must not be empty");
  return first.type === "text" && others.length === 0 ? first.text : blocks;
}

function readPart(part: unknown): UserContent {
  if (!isObject(part)) throw invalidParams("each part of a message must be an object");
  const { text, raw, url, data, mediaType, filename } = part;
  const type = isString(mediaType) && mediaType !== "" ? mediaType : undefined;
  if (isString(text)) return { type: "text", text };
  if (isString(raw)) return withName(mediaWithData(type ?? "application/octet-stream", raw), filename);
  if (isString(url)) return withName(mediaWithUrl(type, url), filename);
  if (data !== undefined) return { type: "text", text: JSON.stringify(data) };
  throw new A2aError("unsupportedContent", "a part must have text, raw, url or data");
}

/** The parts of a user's message. */
export function partsOfUser({ content }: UserMessage): A2aPart[] {
  if (isString(content)) return [{ text: content }];
  return content.flatMap((block) => partsOf(block));
}

/** A block of an answer; none for thinking and tool calls, for which the protocol has no place. */
export function partsOf(block: AssistantContent): A2aPart[] {
  if (block.type === "text") return block.text === "" ? [] : [{ text: block.text }];
  if (!isMedia(block)) return [];
  const mediaType = mediaTypeOf(block);
  const about = { mediaType, ...(block.name === undefined ? {} : { filename: block.name }) };
  return [block.url === undefined ? { raw: block.data ?? "", ...about } : { url: block.url, ...about }];
}

/** The JSON in the first structured part. */
export function dataIn(parts: readonly unknown[]): JsonObject | undefined {
  const found = parts.find((part) => isObject(part) && isObject(part["data"]));
  return isObject(found) && isObject(found["data"]) ? found["data"] : undefined;
}
