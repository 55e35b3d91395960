import { parseArguments } from "../../core/json/arguments.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantContent, ToolResultMessage, UserContent } from "../../core/types.js";
import { notesOf, within } from "./notes.js";
import type { Media } from "./read-parts.js";
import { type FunctionCall, type MediaPart, NAME, type Part } from "./wire.js";

/** Blocks as parts. */
export function writeParts(blocks: readonly (AssistantContent | UserContent)[], ids: boolean): JsonObject[] {
  return blocks.map((block) => writePart(block, ids)).filter((part) => part !== undefined);
}

/** A block as a part; undefined for other dialects' opaque blocks. */
export function writePart(block: AssistantContent | UserContent, ids: boolean): JsonObject | undefined {
  const notes = notesOf(block);
  const rest = within(notes, "part");
  switch (block.type) {
    case "text":
      return { ...rest, ...({ text: block.text, ...signatureField(block.textSignature) } satisfies Part) };
    case "thinking": {
      const part = {
        text: block.thinking,
        thought: true,
        ...signatureField(block.thinkingSignature),
      } satisfies Part;
      return { ...rest, ...part };
    }
    case "toolCall": {
      const hasArgs = notes["noArgs"] !== true || Object.keys(block.arguments).length > 0;
      const call = {
        ...(ids && notes["noId"] !== true ? { id: block.id } : {}),
        name: block.name,
        ...(hasArgs ? { args: block.arguments } : {}),
      } satisfies FunctionCall;
      const functionCall = { ...within(notes, "inner"), ...call };
      return { ...rest, functionCall, ...signatureField(block.thoughtSignature) };
    }
    case "image":
    case "audio":
    case "file":
      return writeMedia(block);
    case "opaque":
      return block.dialect === NAME && isObject(block.value) ? block.value : undefined;
  }
}

function signatureField(thoughtSignature: string | undefined): { thoughtSignature?: string } {
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

function writeMedia(block: Media): JsonObject {
  const notes = notesOf(block);
  const inner = within(notes, "inner");
  const named = block.name === undefined ? {} : { displayName: block.name };
  const { mimeType } = block;
  const part: MediaPart =
    block.data === undefined
      ? {
          fileData: {
            ...inner,
            ...named,
            fileUri: block.url,
            ...(mimeType === undefined ? {} : { mimeType }),
          },
        }
      : { inlineData: { ...inner, ...named, mimeType: block.mimeType, data: block.data } };
  return { ...within(notes, "part"), ...part };
}

/** A result: the function response, followed by its images and files. */
export function writeResult(message: ToolResultMessage, ids: boolean): JsonObject[] {
  const notes = notesOf(message);
  const media = message.content.filter((block) => isMedia(block));
  const inside = media.filter((block) => notesOf(block)["nested"] === true);
  const beside = media.filter((block) => !inside.includes(block));
  const functionResponse = {
    ...within(notes, "inner"),
    ...(ids && notes["noId"] !== true ? { id: message.toolCallId } : {}),
    name: message.toolName,
    response: responseOf(message),
    ...(inside.length === 0 ? {} : { parts: inside.map(writeMedia) }),
  };
  return [{ ...within(notes, "part"), functionResponse }, ...beside.map(writeMedia)];
}

export function isMedia(block: { type: string }): block is Media {
  return block.type === "image" || block.type === "audio" || block.type === "file";
}

function responseOf(message: ToolResultMessage): JsonObject {
  const { content, isError } = message;
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.join("\n");
  const own = notesOf(message)["json"] === true ? parseResponse(text) : undefined;
  if (own !== undefined && isFailure(own) === isError) return own;
  return isError ? { error: text } : { output: text };
}

/** Google recommends the field `error` for failures. Many tools always send it, with an empty value on success. */
export function isFailure({ error }: JsonObject): boolean {
  return error !== undefined && error !== null && error !== false;
}

/** The response in a result's text; undefined if the text is no longer a JSON object. */
function parseResponse(text: string): JsonObject | undefined {
  const { arguments: response, argumentsError } = parseArguments(text);
  return text === "" || argumentsError !== undefined ? undefined : response;
}
