import type { Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { forget, isAbsent } from "../../core/records/deviation.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  Loss,
  SystemMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { fitName, writeCall } from "./calls.js";
import { notesOf, opaqueOf, restoreNoted, withNotes } from "./notes.js";
import { whyUnsupported, writePart } from "./parts.js";
import { isInTags, writeInTags } from "./think-tags.js";
import { isContentPart, writeThinking, writeThinkingPart } from "./thinking.js";
import { API, NAME, type RefusalPart } from "./wire.js";

/** The settings for writing a request's messages. */
export interface Writing {
  model: string;
  flags: Flags;
  /** Whether the request offers a tool with this name. Other names in the history are made to fit the API. */
  offers(name: string): boolean;
  /** `at` is a pointer into the message. */
  report(at: string, what: string, why: string, severity?: Loss["severity"]): void;
}

/** Servers refuse a result without text. */
const NO_OUTPUT = "(no output)";
const IMAGES_FOLLOW = "(the images follow)";

/** The messages of a request. Results contain only text, so their images follow the last consecutive result. */
export function writeMessages(
  messages: readonly AgentMessage[],
  writing: (index: number) => Writing,
): JsonObject[] {
  const written: JsonObject[] = [];
  let images: JsonObject[] = [];
  const flush = () => {
    if (images.length > 0) written.push({ role: "user", content: images });
    images = [];
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") {
      images.push(...imagesOf(message));
      written.push(writeResult(message, writing(index)));
      continue;
    }
    const one = writeMessage(message, writing(index));
    if (one === undefined) continue;
    flush();
    written.push(one);
  }
  flush();
  return written;
}

/** One message; undefined if a request cannot contain it. */
export function writeMessage(message: AgentMessage, writing: Writing): JsonObject | undefined {
  switch (message.role) {
    case "user":
      return restoreNoted(writeGiven("user", message, writing), notesOf(message));
    case "system":
      return restoreNoted(
        writeGiven(writing.flags.systemRole ?? "system", message, writing),
        notesOf(message),
      );
    case "assistant":
      return writeAnswer(message, writing);
    case "toolResult":
      return writeResult(message, writing);
    case "custom":
      // A message with an unknown role, as `readMessage` keeps it.
      return message.customType === NAME ? record(message.data) : undefined;
    default:
      return undefined;
  }
}

function record(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function writeGiven(
  role: "user" | "system" | "developer",
  message: UserMessage | SystemMessage,
  writing: Writing,
): JsonObject {
  const { content } = message;
  return {
    role,
    content: typeof content === "string" ? content : writeParts(message, content, writing),
    ...nameField(message),
  };
}

/** A single text is sent as a string, because some servers do not accept parts. */
function writeParts(
  message: UserMessage | SystemMessage,
  content: readonly UserContent[],
  { report }: Writing,
): string | JsonObject[] {
  const [first] = content;
  if (content.length === 1 && first?.type === "text" && notesOf(message)["content"] !== "parts")
    return first.text;
  return content.flatMap((block, index): JsonObject[] => {
    const part = writePart(block);
    if (part === undefined) report(`/content/${index}`, `${block.type} content`, whyUnsupported(block));
    return orNone(part);
  });
}

const NAME_PATTERN = /^[^\s<|\\/>]{1,64}$/;

function nameField({ sender }: { sender?: string }): { name?: string } {
  return sender !== undefined && NAME_PATTERN.test(sender) ? { name: sender } : {};
}

function writeAnswer(message: AssistantMessage, { model, flags, offers, report }: Writing): JsonObject {
  // A server's extensions are sent back only to the model that sent them; others may refuse them.
  const own = message.model === "" || (message.api === API && message.model === model);
  const content = own
    ? message.content.map((block) => placeThinking(block, flags))
    : message.content.map(withoutNotes);
  const notes = own ? notesOf(message) : {};
  const synthesised = message.ext?.synthesised ?? [];
  const hasOwnId = (block: AssistantContent, index: number) =>
    block.type === "toolCall" && block.id !== "" && !synthesised.includes(`/content/${index}/id`);
  const calls = content.flatMap((block, index): JsonObject[] => {
    if (block.type === "toolCall") {
      const name = offers(block.name) ? block.name : fitName(block.name);
      if (name !== block.name) {
        const why = `Chat Completions rejects it; "${name}" is sent`;
        report(`/content/${index}/name`, `the tool name "${block.name}"`, why, "approximated");
      }
      return [writeCall(block, name, hasOwnId(block, index))];
    }
    return block.type === "opaque" ? orNone(opaqueOf(block, "tool_calls")) : [];
  });
  const answer = {
    role: "assistant",
    ...writeText(content, notes["content"] === "parts", calls.length > 0, own),
    ...writeThinking(content, flags),
    ...nameField(message),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  // The deprecated `function_call` has no id.
  const isOld = isAbsent(notes, "tool_calls") && content.some(hasOwnId);
  return restoreNoted(answer, isOld ? forget(notes, "tool_calls", "function_call") : notes);
}

/** Puts thinking where the server accepts it: in the tags in which it came, or in a content part. */
function placeThinking(block: AssistantContent, { thinkTags, thinkingField }: Flags): AssistantContent {
  if (block.type !== "thinking") return block;
  if (thinkTags === true && isInTags(block)) return { type: "text", text: writeInTags(block) };
  const isPlain = block.thinkingSignature === undefined && !isContentPart(block);
  return thinkingField === "content" && isPlain ? withNotes(block, { field: "content" }) : block;
}

function withoutNotes(block: AssistantContent): AssistantContent {
  if (block.ext?.[NAME] === undefined || block.type === "opaque") return block;
  const { [NAME]: _, ...ext } = block.ext;
  return { ...block, ext };
}

/** Texts in an answer of this API are pieces of one text; texts of another API are joined by line breaks. */
function writeText(
  content: readonly AssistantContent[],
  parts: boolean,
  hasCalls: boolean,
  own: boolean,
): JsonObject {
  if (parts || content.some(needsParts)) return { content: content.flatMap(writeAnswerPart) };
  const joinTexts = (refusal: boolean) => {
    const texts = content.flatMap((block) =>
      block.type === "text" && isRefusal(block) === refusal ? block.text : [],
    );
    return texts.join(own ? "" : "\n");
  };
  const refusal = joinTexts(true);
  return {
    content: joinTexts(false) || (hasCalls || refusal !== "" ? null : ""),
    ...(refusal === "" ? {} : { refusal }),
  };
}

function needsParts(block: AssistantContent): boolean {
  return isContentPart(block) || (block.type === "opaque" && opaqueOf(block, "content") !== undefined);
}

function writeAnswerPart(block: AssistantContent): JsonObject[] {
  if (block.type === "opaque") return orNone(opaqueOf(block, "content"));
  if (block.type === "thinking") return isContentPart(block) ? [writeThinkingPart(block)] : [];
  if (block.type !== "text") return [];
  if (!isRefusal(block)) return orNone(writePart(block));
  return [restoreNoted({ type: "refusal", refusal: block.text } satisfies RefusalPart, notesOf(block))];
}

function orNone(value: JsonObject | undefined): JsonObject[] {
  return value === undefined ? [] : [value];
}

export function isRefusal(block: AssistantContent): boolean {
  return notesOf(block)["refusal"] === true;
}

function writeResult(message: ToolResultMessage, { report }: Writing): JsonObject {
  const own = notesOf(message);
  const isOld = isAbsent(own, "tool_call_id") && message.toolCallId !== "";
  const notes = isOld ? forget(own, "tool_call_id", "role") : own;
  const result = { role: "tool", tool_call_id: message.toolCallId };
  if (message.isError) {
    report("/isError", "the result's error flag", "Chat Completions has no field for it");
  }
  if (notes["content"] === "parts") {
    return restoreNoted({ ...result, content: partsOf(message.content) }, notes);
  }
  for (const [index, { type }] of message.content.entries()) {
    if (type !== "image") continue;
    const why = "a result contains only text; the image is sent in a user message after the results";
    report(`/content/${index}`, "the position of an image", why, "approximated");
  }
  const text = message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
  const placeholder = message.content.some(({ type }) => type === "image") ? IMAGES_FOLLOW : NO_OUTPUT;
  return restoreNoted({ ...result, content: text === "" ? placeholder : text }, notes);
}

function imagesOf(message: ToolResultMessage): JsonObject[] {
  if (notesOf(message)["content"] === "parts") return [];
  const parts = partsOf(message.content.filter(({ type }) => type === "image"));
  if (parts.length === 0) return [];
  return [{ type: "text", text: `Images in the result of ${message.toolCallId}:` }, ...parts];
}

function partsOf(content: readonly UserContent[]): JsonObject[] {
  return content.flatMap((block) => orNone(writePart(block)));
}
