import { isObject, type JsonObject } from "../../core/json/value.js";
import { CallIds } from "../../core/message/call-ids.js";
import { unattributedAnswer, undated } from "../../core/message/neutral.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { type ContentNotes, extWith, notesOf, type ResultNotes, withNotes } from "./notes.js";
import { isFailure, isMedia } from "./parts.js";
import { addPiece } from "./pieces.js";
import { opaque, type ResultPart, readPart } from "./read-parts.js";
import { unlessEmpty } from "./wire.js";

interface Read {
  role: "user" | "model";
  parts: JsonObject[];
  notes: ContentNotes;
}

/** The messages in a request's contents. Throws `model/invalid` if they are not contents. */
export function readContents(contents: unknown): Message[] {
  if (!Array.isArray(contents)) throw unexpected("/contents", "a list of contents", contents);
  const read: Read[] = [];
  for (const [index, content] of contents.entries()) {
    read.push(readContent(content, `/contents/${index}`, read.at(-1)?.role));
  }
  const ids = new CallIds(read.flatMap(({ parts }) => parts.flatMap(idsIn)));
  return joinAnswers(read).flatMap(({ role, parts, notes, pieces }) => {
    const messages = role === "model" ? [readAnswer([parts, ...pieces], ids)] : readUser(parts, ids);
    const [first, ...others] = messages;
    if (first === undefined || Object.keys(notes).length === 0) return messages;
    return [withNotes(first, { content: notes }), ...others];
  });
}

function readContent(content: unknown, at: string, before: Read["role"] | undefined): Read {
  if (!isObject(content)) throw unexpected(at, "a content, an object with role and parts", content);
  const { role, parts = [], ...rest } = content;
  if (role !== undefined && role !== "user" && role !== "model" && role !== "function") {
    throw unexpected(`${at}/role`, "user or model", role, "a system prompt goes into systemInstruction");
  }
  if (!Array.isArray(parts)) throw unexpected(`${at}/parts`, "a list of parts", parts);
  const stray = parts.findIndex((part) => !isObject(part));
  if (stray >= 0) throw unexpected(`${at}/parts/${stray}`, "a part, an object", parts[stray]);
  const side = role === "model" ? "model" : "user";
  const further = unlessEmpty(rest);
  return {
    role: side,
    parts: parts.filter(isObject),
    notes: {
      ...(further === undefined ? {} : { rest: further }),
      ...(before === side ? { apart: true } : {}),
      ...(role === undefined ? { role: null } : role === "function" ? { role } : {}),
      ...(content["parts"] === undefined ? { noParts: true } : {}),
    },
  };
}

/** Joins consecutive model contents: the official client sends one content for each chunk of an answer. */
function joinAnswers(contents: readonly Read[]): (Read & { pieces: JsonObject[][] })[] {
  const answers: (Read & { pieces: JsonObject[][] })[] = [];
  for (const content of contents) {
    const last = answers.at(-1);
    const { apart, ...others } = content.notes;
    const isPlain = apart === true && Object.keys(others).length === 0 && content.parts.length > 0;
    if (isPlain && content.role === "model" && last !== undefined && last.parts.length > 0) {
      last.pieces.push(content.parts);
    } else answers.push({ ...content, pieces: [] });
  }
  return answers;
}

function readAnswer(pieces: readonly JsonObject[][], ids: CallIds): AssistantMessage {
  const content: AssistantContent[] = [];
  for (const [index, parts] of pieces.entries()) {
    const blocks = parts.map((part) => readAnswerBlock(part, ids));
    addPiece(content, blocks, index === 0);
  }
  const synthesised = content.flatMap((block, index) => (hasNoId(block) ? [`/content/${index}/id`] : []));
  return unattributedAnswer(content, synthesised);
}

function readAnswerBlock(part: JsonObject, ids: CallIds): AssistantContent {
  const block = readPart(part);
  if (block.type === "result") return opaque(part);
  if (block.type !== "toolCall") return block;
  return { ...block, id: ids.ofCall(hasNoId(block) ? undefined : block.id, block.name) };
}

function idsIn({ functionCall, functionResponse }: JsonObject): string[] {
  return [functionCall, functionResponse].flatMap((value) =>
    isObject(value) && typeof value["id"] === "string" ? [value["id"]] : [],
  );
}

function hasNoId(block: AssistantContent): boolean {
  return block.type === "toolCall" && notesOf(block)["noId"] === true;
}

/** The messages in one user content: tool results with their media, and the user's own blocks, in order. */
function readUser(parts: readonly JsonObject[], ids: CallIds): Message[] {
  const messages: (UserMessage | ToolResultMessage)[] = [];
  for (const part of parts) {
    const block = readPart(part);
    const last = messages.at(-1);
    if (block.type === "result") messages.push(readResult(block, ids));
    else if (last?.role === "toolResult" && isMedia(block)) last.content.push(block);
    else {
      const given = isGiven(block) ? block : opaque(part);
      if (last?.role === "user" && Array.isArray(last.content)) last.content.push(given);
      else messages.push(userOf([given]));
    }
  }
  return messages.length === 0 ? [userOf([])] : messages.map(simplifyContent);
}

function userOf(content: UserContent[]): UserMessage {
  return { role: "user", content, ...undated() };
}

function isGiven(block: AssistantContent): block is UserContent {
  return block.type !== "thinking" && block.type !== "toolCall";
}

/** A single text without other fields becomes a string. */
function simplifyContent(message: UserMessage | ToolResultMessage): Message {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const [only, ...others] = message.content;
  const plain = only?.type === "text" && Object.keys(only).length === 2 && others.length === 0;
  return plain ? { ...message, content: only.text } : message;
}

function readResult(part: ResultPart, ids: CallIds): ToolResultMessage {
  const { text, isError, json } = readResponse(part.response);
  const notes: ResultNotes = {
    ...(part.part === undefined ? {} : { part: part.part }),
    ...(part.inner === undefined ? {} : { inner: part.inner }),
    ...(json ? { json: true } : {}),
    ...(part.id === undefined ? { noId: true } : {}),
  };
  const call = ids.ofResult(part.id, part.name);
  const synthesised = part.id === undefined ? ["/toolCallId", "/timestamp"] : ["/timestamp"];
  return {
    role: "toolResult",
    toolCallId: part.id ?? call?.id ?? ids.make(),
    toolName: part.name,
    content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...part.media],
    isError,
    timestamp: 0,
    ...extWith(notes, synthesised),
  };
}

/** `output` is the result, or `error` the failure; any other response is the result itself, as JSON. */
function readResponse(response: JsonObject): { text: string; isError: boolean; json: boolean } {
  const isError = isFailure(response);
  const text = isError ? response["error"] : response["output"];
  if (typeof text === "string" && Object.keys(response).length === 1) {
    return { text, isError, json: false };
  }
  return { text: JSON.stringify(response), isError, json: true };
}
