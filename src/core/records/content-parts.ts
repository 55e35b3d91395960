import { isObject, isString, type JsonObject } from "../json/value.js";
import type {
  AssistantContent,
  AudioContent,
  FileContent,
  ImageContent,
  ToolResultMessage,
  UserContent,
} from "../types.js";
import { restore } from "./deviation.js";
import { differencesOf } from "./differences.js";
import { ownNotes } from "./own-notes.js";

type Media = ImageContent | AudioContent | FileContent;

/** A `functionResponse` part, and the parts with media that follow it. */
export interface ResponseGroup {
  response: JsonObject;
  media: JsonObject[];
}

/** What a response states about the call. */
type ReadResponse = Pick<ToolResultMessage, "toolCallId" | "toolName" | "content" | "isError" | "ext">;

/**
 * The parts of Google's `Content`, as session files store them:
 *
 *     {"text":"…"}   {"text":"…","thought":true,"thoughtSignature":"…"}   {"inlineData":{"mimeType":"image/png","data":"…"}}
 *     {"functionCall":{"id":"c1","name":"read","args":{…}}}   {"functionResponse":{"id":"c1","name":"read","response":{"output":"…"}}}
 *
 * How a part differs from the one we would write is noted on its block, under the dialect's name. A text can also be a bare
 * string, noted as `string`. `nests` is whether the media of a result are in its response, unless noted otherwise.
 */
export function contentParts(dialect: string, nests = false) {
  const { notesOf, extWith } = ownNotes(dialect);

  const noted = <B extends AssistantContent | UserContent>(
    part: JsonObject,
    block: B,
    plain: JsonObject | undefined,
  ): B => ({
    ...block,
    // A call's id may be replaced by a repair, which a note must not undo.
    ...extWith(plain === undefined ? {} : differencesOf(part, plain, block.type === "toolCall")),
  });

  const opaque = (value: unknown) => ({ type: "opaque" as const, dialect, value });

  const readString = (text: string) => ({ type: "text" as const, text, ...extWith({ string: true }) });

  const readAnswerPart = (part: unknown): AssistantContent => {
    if (isString(part)) return readString(part);
    const block = isObject(part) ? (answerBlock(part) ?? mediaBlock(part)) : undefined;
    return isObject(part) && block !== undefined ? noted(part, block, plainPart(block, true)) : opaque(part);
  };

  const readUserPart = (part: unknown): UserContent => {
    if (isString(part)) return readString(part);
    if (!isObject(part)) return opaque(part);
    const { text, functionCall, functionResponse } = part;
    const isText = isString(text) && functionCall === undefined && functionResponse === undefined;
    const block: UserContent | undefined = isText ? { type: "text", text } : mediaBlock(part);
    return block === undefined ? opaque(part) : noted(part, block, plainPart(block, true));
  };

  /** Undefined for a block that has no part. `signed` is whether Google made the signatures. */
  const writePart = (block: AssistantContent | UserContent, signed: boolean): unknown => {
    if (block.type === "opaque") return block.dialect === dialect ? block.value : undefined;
    const notes = notesOf(block);
    if (block.type === "text" && notes["string"] === true) return block.text;
    const plain = plainPart(block, signed);
    return plain === undefined ? undefined : restore(plain, notes);
  };

  const writeParts = (content: readonly (AssistantContent | UserContent)[], signed: boolean): unknown[] =>
    content.map((block) => writePart(block, signed)).filter((part) => part !== undefined);

  /**
   * A response as the result of a call. The notes are `json`, if the text is the whole response, and `nested`, the number of
   * its media in the response itself.
   */
  const readResponse = (
    { response, media }: ResponseGroup,
    failed = false,
    callId?: string,
  ): ReadResponse => {
    const { functionResponse: wire } = response;
    const { id, name, response: value, parts } = isObject(wire) ? wire : {};
    const nested = mediaIn(parts);
    const text = plainText(value);
    const shown = text ?? JSON.stringify(value);
    const content: UserContent[] = [
      ...(shown === "" ? [] : [{ type: "text" as const, text: shown }]),
      ...[...nested, ...media].map(readUserPart),
    ];
    const isError =
      failed || (isObject(value) && isString(value["error"]) && Object.keys(value).length === 1);
    const result = {
      toolCallId: callId ?? (isString(id) ? id : ""),
      toolName: isString(name) ? name : "",
      content,
      isError,
    };
    const usual = nests ? nested.length + media.length : 0;
    const form = {
      ...(text === undefined ? { json: true } : {}),
      ...(nested.length === usual ? {} : { nested: nested.length }),
    };
    const [ours = {}] = plainResponse({ ...result, ...extWith(form) });
    return { ...result, ...extWith({ ...form, response: unlessEmpty(differencesOf(response, ours, true)) }) };
  };

  /** The parts of a result: the response, and the media that are not in it. */
  const writeResponse = (result: ReadResponse): JsonObject[] => {
    const [response = {}, ...media] = plainResponse(result);
    return [restore(response, notesOf(result)["response"]), ...media];
  };

  const plainResponse = (result: ReadResponse): JsonObject[] => {
    const { toolCallId: id, toolName: name, content, isError } = result;
    const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const media = content.flatMap((block) => {
      const part = block.type === "text" ? undefined : writePart(block, false);
      return isObject(part) ? [part] : [];
    });
    const { nested, json } = notesOf(result);
    const inside = media.splice(0, typeof nested === "number" ? nested : nests ? media.length : 0);
    const text = texts.join("\n");
    const whole = json === true ? objectIn(text) : undefined;
    const response = whole ?? { [isError ? "error" : "output"]: text };
    const parts = inside.length > 0 ? { parts: inside } : {};
    return [{ functionResponse: { ...callIdOf(id), name, response, ...parts } }, ...media];
  };

  return { readAnswerPart, readUserPart, writeParts, readResponse, writeResponse };
}

/** The responses in a list of parts; undefined if it has none, or other parts too. */
export function responsesIn(content: unknown): ResponseGroup[] | undefined {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const groups: ResponseGroup[] = [];
  for (const part of parts) {
    if (!isObject(part)) return undefined;
    const group = groups.at(-1);
    if (isResponse(part)) groups.push({ response: part, media: [] });
    else if (group !== undefined && mediaBlock(part) !== undefined) group.media.push(part);
    else return undefined;
  }
  return groups.length > 0 ? groups : undefined;
}

function isResponse({ functionResponse: wire }: JsonObject): boolean {
  if (!isObject(wire) || !isString(wire["name"]) || !isObject(wire["response"])) return false;
  return wire["id"] === undefined || isString(wire["id"]);
}

/** The text of a response that has only that. */
function plainText(value: unknown): string | undefined {
  if (!isObject(value)) return "";
  const [key = "", ...others] = Object.keys(value);
  const text = value[key];
  return others.length === 0 && (key === "output" || key === "error") && isString(text) ? text : undefined;
}

/** The object that a text is the JSON of; undefined if the text was edited and is not one. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The media in a response, or none if it also has other parts. */
function mediaIn(parts: unknown): JsonObject[] {
  if (!Array.isArray(parts)) return [];
  const media = parts.filter((part) => isObject(part) && mediaBlock(part) !== undefined);
  return media.length === parts.length ? media : [];
}

function answerBlock(part: JsonObject): AssistantContent | undefined {
  const { text, thought, thoughtSignature: signature, functionCall } = part;
  if (signature !== undefined && !isString(signature)) return undefined;
  if (isString(text) && functionCall === undefined) {
    if (thought === true) {
      return {
        type: "thinking",
        thinking: text,
        ...(signature === undefined ? {} : { thinkingSignature: signature }),
      };
    }
    return { type: "text", text, ...(signature === undefined ? {} : { textSignature: signature }) };
  }
  if (!isObject(functionCall)) return undefined;
  const { id = "", name, args = {} } = functionCall;
  if (!isString(id) || !isString(name) || !isObject(args)) return undefined;
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  return { type: "toolCall", id, name, arguments: args, ...signed };
}

function mediaBlock({ inlineData, fileData }: JsonObject): Media | undefined {
  if (isObject(inlineData) && fileData === undefined) {
    const { mimeType, data, displayName } = inlineData;
    if (!isString(mimeType) || !isString(data)) return undefined;
    return {
      type: mediaType(mimeType),
      data,
      mimeType,
      ...(isString(displayName) ? { name: displayName } : {}),
    };
  }
  if (!isObject(fileData) || inlineData !== undefined || !isString(fileData["fileUri"])) return undefined;
  const { fileUri, mimeType, displayName } = fileData;
  return {
    type: mediaType(isString(mimeType) ? mimeType : ""),
    url: fileUri,
    ...(isString(mimeType) ? { mimeType } : {}),
    ...(isString(displayName) ? { name: displayName } : {}),
  };
}

function mediaType(mimeType: string): Media["type"] {
  if (mimeType.startsWith("image/")) return "image";
  return mimeType.startsWith("audio/") ? "audio" : "file";
}

function plainPart(block: AssistantContent | UserContent, signed: boolean): JsonObject | undefined {
  const withSignature = (signature: string | undefined) =>
    signed && signature !== undefined ? { thoughtSignature: signature } : {};
  switch (block.type) {
    case "text":
      return { text: block.text, ...withSignature(block.textSignature) };
    case "thinking":
      if (block.redacted === true) return undefined;
      return { text: block.thinking, thought: true, ...withSignature(block.thinkingSignature) };
    case "toolCall": {
      const { id, name, arguments: args, thoughtSignature } = block;
      return { functionCall: { ...callIdOf(id), name, args }, ...withSignature(thoughtSignature) };
    }
    case "image":
    case "audio":
    case "file":
      return mediaPart(block);
    case "opaque":
      return undefined;
  }
}

/** A call without an id has an empty one in the model. */
export function callIdOf(id: string): { id?: string } {
  return id === "" ? {} : { id };
}

function mediaPart({ data, url, mimeType, name }: Media): JsonObject {
  const displayName = name === undefined ? {} : { displayName: name };
  if (url === undefined) return { inlineData: { mimeType, data, ...displayName } };
  return { fileData: { fileUri: url, ...(mimeType === undefined ? {} : { mimeType }), ...displayName } };
}

function unlessEmpty(notes: JsonObject): JsonObject | undefined {
  return Object.keys(notes).length > 0 ? notes : undefined;
}
