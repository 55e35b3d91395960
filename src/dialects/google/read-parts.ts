import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import type {
  AssistantContent,
  AudioContent,
  Ext,
  FileContent,
  ImageContent,
  OpaqueContent,
} from "../../core/types.js";
import { type BlockNotes, extWith } from "./notes.js";
import { isOptional, NAME, unlessEmpty } from "./wire.js";

export type Media = ImageContent | AudioContent | FileContent;

/** A part with a tool result. Without an id, its call follows only from the other parts. */
export interface ResultPart {
  type: "result";
  id: string | undefined;
  name: string;
  response: JsonObject;
  media: Media[];
  /** Further fields of the part, and of the function response. */
  part: JsonObject | undefined;
  inner: JsonObject | undefined;
}

const KINDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"] as const;

/** A part as a block. Parts of an unknown kind or shape are kept unchanged. */
export function readPart(part: JsonObject): AssistantContent | ResultPart {
  const kinds = KINDS.filter((kind) => Object.hasOwn(part, kind));
  const read = kinds.length === 1 ? readKind(kinds[0], part) : undefined;
  return read ?? opaque(part);
}

export function opaque(part: JsonObject): OpaqueContent {
  return { type: "opaque", dialect: NAME, value: part };
}

function readKind(
  kind: (typeof KINDS)[number] | undefined,
  part: JsonObject,
): AssistantContent | ResultPart | undefined {
  switch (kind) {
    case "text":
      return readText(part);
    case "functionCall":
      return readCall(part);
    case "functionResponse":
      return readResult(part);
    default:
      return readMedia(part);
  }
}

function readText({ text, thoughtSignature, ...rest }: JsonObject): AssistantContent | undefined {
  if (!isString(text) || !isOptional(thoughtSignature, isString)) return undefined;
  if (rest["thought"] !== true) {
    return {
      type: "text",
      text,
      ...(thoughtSignature === undefined ? {} : { textSignature: thoughtSignature }),
      ...extOf({ part: unlessEmpty(rest) }),
    };
  }
  const { thought: _, ...further } = rest;
  return {
    type: "thinking",
    thinking: text,
    ...(thoughtSignature === undefined ? {} : { thinkingSignature: thoughtSignature }),
    ...extOf({ part: unlessEmpty(further) }),
  };
}

/** A call without an id gets an empty one and a note; the caller, which knows the other calls, replaces it. */
function readCall({ functionCall, thoughtSignature, ...rest }: JsonObject): AssistantContent | undefined {
  if (!isObject(functionCall) || !isOptional(thoughtSignature, isString)) return undefined;
  const { id, name, args, ...inner } = functionCall;
  if (!isOptional(id, isString) || !isString(name) || !isOptional(args, isObject)) return undefined;
  return {
    type: "toolCall",
    id: id ?? "",
    name,
    arguments: args ?? {},
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
    ...extOf({
      part: unlessEmpty(rest),
      inner: unlessEmpty(inner),
      noId: id === undefined ? true : undefined,
      noArgs: args === undefined ? true : undefined,
    }),
  };
}

function readResult({ functionResponse, ...rest }: JsonObject): ResultPart | undefined {
  if (!isObject(functionResponse)) return undefined;
  const { id, name, response, parts, ...further } = functionResponse;
  if (!isOptional(id, isString) || !isString(name) || !isObject(response)) return undefined;
  const media = readNested(parts);
  const inner = media === undefined && parts !== undefined ? { ...further, parts } : further;
  return {
    type: "result",
    id,
    name,
    response,
    media: media ?? [],
    part: unlessEmpty(rest),
    inner: unlessEmpty(inner),
  };
}

/** The parts inside a function response; undefined if one of them has an unknown form. */
function readNested(parts: unknown): Media[] | undefined {
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  const media = parts.flatMap((part) => (isObject(part) ? (readMedia(part, true) ?? []) : []));
  return media.length === parts.length ? media : undefined;
}

function readMedia(part: JsonObject, nested = false): Media | undefined {
  const { inlineData, fileData, ...rest } = part;
  const wire = inlineData ?? fileData;
  if (!isObject(wire) || (inlineData !== undefined && fileData !== undefined)) return undefined;
  const { mimeType, data, fileUri, displayName, ...inner } = wire;
  if (!isOptional(displayName, isString)) return undefined;
  const notes = {
    part: unlessEmpty(rest),
    inner: unlessEmpty(inner),
    nested: nested ? (true as const) : undefined,
  };
  const common = { ...(displayName === undefined ? {} : { name: displayName }), ...extOf(notes) };
  if (inlineData !== undefined) {
    if (!isString(mimeType) || !isString(data) || fileUri !== undefined) return undefined;
    return { type: mediaType(mimeType), data, mimeType, ...common };
  }
  if (!isString(fileUri) || !isOptional(mimeType, isString) || data !== undefined) return undefined;
  return {
    type: mediaType(mimeType ?? ""),
    url: fileUri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...common,
  };
}

function mediaType(mimeType: string): Media["type"] {
  if (mimeType.startsWith("image/")) return "image";
  return mimeType.startsWith("audio/") ? "audio" : "file";
}

function extOf(notes: { [key in keyof BlockNotes]: BlockNotes[key] | undefined }): { ext?: Ext } {
  return extWith(notes);
}
