import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { addressOf, readDataUrl } from "../../core/message/media.js";
import { restore } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  AudioContent,
  FileContent,
  ImageContent,
  OpaqueContent,
  ThinkingContent,
  ToolCall,
  UserContent,
} from "../../core/types.js";
import type { PartFrame } from "./frame.js";
import { differencesOf, extWith, notesOf, objectIn } from "./notes.js";
import { NAME } from "./wire.js";

type Media = ImageContent | AudioContent | FileContent;

/** Where an answer came from, and when: signatures are kept under the name of the provider. */
export interface Origin {
  api: string;
  time: number;
}

const ANTHROPIC = "anthropic-messages";

/** The name under which the AI SDK keeps the signatures of an API, and their fields. */
const SIGNATURES: ReadonlyMap<string, { name: string; field: string }> = new Map([
  [ANTHROPIC, { name: "anthropic", field: "signature" }],
  ["google-generative-ai", { name: "google", field: "thoughtSignature" }],
]);

/** The field for thinking that Anthropic returns only encrypted. */
const REDACTED = "redactedData";

/** A part of a prompt. One that opencode does not send as it is stays as it is. */
export function readUserPart(part: JsonObject, frame: PartFrame): UserContent {
  return readText(part, frame) ?? readMedia(part, frame) ?? opaque(part);
}

/** A part of an answer other than a call. */
export function readAnswerPart(part: JsonObject, frame: PartFrame, origin: Origin): AssistantContent {
  const block = readText(part, frame) ?? readMedia(part, frame);
  return block ?? readReasoning(part, frame, origin) ?? opaque(part);
}

function readText(part: JsonObject, frame: PartFrame): UserContent | undefined {
  const { type, text, ignored } = part;
  // opencode shows ignored text to the user and not to the model.
  if (type !== "text" || !isString(text) || ignored === true) return undefined;
  return { type, text, ...extWith(differencesOf(part, { ...frame, type, text })) };
}

/** opencode sends these files as text of their own. */
const UNSENT: ReadonlySet<unknown> = new Set(["text/plain", "application/x-directory"]);

/** A file part as a block; undefined if the part is not a file that models are sent. */
export function readMedia(part: JsonObject, frame: PartFrame): Media | undefined {
  const { type, mime, url, filename } = part;
  if (type !== "file" || !isString(mime) || !isString(url) || UNSENT.has(mime)) return undefined;
  const data = readDataUrl(url);
  const bytes = data?.mimeType === mime ? data : { url, mimeType: mime };
  const block: Media = {
    type: mediaType(mime),
    ...bytes,
    ...(isString(filename) ? { name: filename } : {}),
  };
  return { ...block, ...extWith(differencesOf(part, plainMedia(block, frame))) };
}

function mediaType(mime: string): Media["type"] {
  if (mime.startsWith("image/")) return "image";
  return mime.startsWith("audio/") ? "audio" : "file";
}

function plainMedia(block: Media, frame: PartFrame): JsonObject {
  const mime = block.mimeType ?? { image: "image/png", audio: "audio/wav", file: "application/pdf" }[block.type];
  const name = block.name === undefined ? {} : { filename: block.name };
  return { ...frame, type: "file", mime, ...name, url: addressOf(block) };
}

export function writeMedia(block: Media, frame: PartFrame): JsonObject {
  return restore(plainMedia(block, frame), notesOf(block));
}

function readReasoning(part: JsonObject, frame: PartFrame, origin: Origin): ThinkingContent | undefined {
  const { type, text, metadata } = part;
  if (type !== "reasoning" || !isString(text)) return undefined;
  const redacted = objectIn(objectIn(metadata)["anthropic"])[REDACTED];
  const signature = signatureIn(metadata);
  const block: ThinkingContent = {
    type: "thinking",
    thinking: text,
    ...(isString(redacted) && text === ""
      ? { thinkingSignature: redacted, redacted: true }
      : signature === undefined
        ? {}
        : { thinkingSignature: signature }),
  };
  return { ...block, ...extWith(differencesOf(part, plainReasoning(block, frame, origin))) };
}

function plainReasoning(block: ThinkingContent, frame: PartFrame, { api, time }: Origin): JsonObject {
  const { thinking: text, thinkingSignature: signature, redacted } = block;
  const metadata =
    redacted === true && api === ANTHROPIC
      ? { metadata: { anthropic: { [REDACTED]: signature ?? "" } } }
      : signatureFor(api, signature);
  return { ...frame, type: "reasoning", text, ...metadata, time: { start: time } };
}

/** Encrypted thinking of another API leaves nothing to write. */
function writeReasoning(block: ThinkingContent, frame: PartFrame, origin: Origin): JsonObject | undefined {
  const notes = notesOf(block);
  if (block.redacted === true && origin.api !== ANTHROPIC && isEmpty(notes)) return undefined;
  return restore(plainReasoning(block, frame, origin), notes);
}

/** The signature in a part's metadata, whichever provider's it is. */
export function signatureIn(metadata: unknown): string | undefined {
  for (const { name, field } of SIGNATURES.values()) {
    const signature = objectIn(objectIn(metadata)[name])[field];
    if (isString(signature)) return signature;
  }
  return undefined;
}

/** The metadata with a signature, if it is known where opencode keeps those of the API. */
export function signatureFor(api: string, signature: string | undefined): JsonObject {
  const place = SIGNATURES.get(api);
  if (place === undefined || signature === undefined) return {};
  return { metadata: { [place.name]: { [place.field]: signature } } };
}

/** The part of a block; undefined if opencode has none for it. */
export function writePart(
  block: UserContent | Exclude<AssistantContent, ToolCall>,
  frame: PartFrame,
  origin?: Origin,
): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return restore({ ...frame, type: "text", text: block.text }, notesOf(block));
    case "thinking":
      return writeReasoning(block, frame, origin ?? { api: "", time: 0 });
    case "image":
    case "audio":
    case "file":
      return writeMedia(block, frame);
    case "opaque":
      return block.dialect === NAME && isObject(block.value) ? block.value : undefined;
  }
}

export function opaque(value: JsonObject): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}
