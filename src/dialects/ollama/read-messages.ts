import { isObject, type JsonObject } from "../../core/json/value.js";
import { CallIds } from "../../core/message/call-ids.js";
import { unattributedAnswer } from "../../core/message/neutral.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  ToolResultMessage,
  UserContent,
} from "../../core/types.js";
import { hasNoId, readCall } from "./calls.js";
import { writeMessage } from "./messages.js";
import { GUARDED, withNotes } from "./notes.js";
import { isTypeSynthesised, readImage, readText } from "./parts.js";

/** A message whose fields have the API's types; null counts as absent. */
interface Checked {
  raw: JsonObject;
  role: string;
  content: string;
  thinking: string;
  images: string[];
  calls: unknown[];
  toolName?: string;
  toolCallId?: string;
}

/** The messages of a request. Differences from the form that we write are kept in their notes. */
export function readMessages(value: unknown): AgentMessage[] {
  if (!Array.isArray(value)) throw unexpected("/messages", "a list of messages", value);
  const messages = value.map((message, index) => checkMessage(message, `/messages/${index}`));
  const ids = new CallIds(messages.flatMap(idsIn));
  return messages.map((checked) => {
    const message = readMessage(checked, ids);
    return withNotes(message, { form: deviations(checked.raw, writeMessage(message) ?? {}, GUARDED) });
  });
}

function checkMessage(raw: unknown, at: string): Checked {
  if (!isObject(raw)) throw unexpected(at, "a message, an object", raw);
  const { role, images, tool_calls: calls, tool_name: toolName, tool_call_id: toolCallId } = raw;
  if (typeof role !== "string") throw unexpected(`${at}/role`, "a role", role);
  if (!isStrings(images ?? [])) throw unexpected(`${at}/images`, "a list of images in base64", images);
  if (!Array.isArray(calls ?? [])) throw unexpected(`${at}/tool_calls`, "a list of calls", calls);
  return {
    raw,
    role: role.toLowerCase(),
    content: textOf(raw["content"], `${at}/content`),
    thinking: textOf(raw["thinking"], `${at}/thinking`),
    images: isStrings(images) ? images : [],
    calls: Array.isArray(calls) ? calls : [],
    ...(typeof toolName === "string" && toolName !== "" ? { toolName } : {}),
    ...(typeof toolCallId === "string" && toolCallId !== "" ? { toolCallId } : {}),
  };
}

function textOf(value: unknown, at: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw unexpected(at, "a text", value);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function idsIn({ calls, toolCallId }: Checked): string[] {
  const ids = calls.flatMap((call) => (isObject(call) && typeof call["id"] === "string" ? [call["id"]] : []));
  return toolCallId === undefined ? ids : [...ids, toolCallId];
}

function readMessage(message: Checked, ids: CallIds): AgentMessage {
  switch (message.role) {
    case "user":
    case "system": {
      const { content, synthesised } = readContent(message);
      return {
        role: message.role,
        content,
        timestamp: 0,
        ext: { synthesised: ["/timestamp", ...synthesised] },
      };
    }
    case "assistant":
      return readAnswer(message, ids);
    case "tool":
      return readResult(message, ids);
    default: {
      // Ollama passes any role to the model's template.
      const { content, synthesised } = readContent(message);
      const ext = { synthesised: ["/timestamp", ...synthesised] };
      return withNotes(
        { role: "custom" as const, customType: message.role, content, timestamp: 0, ext },
        { role: message.role },
      );
    }
  }
}

function readContent({ content, images }: Checked): {
  content: string | UserContent[];
  synthesised: string[];
} {
  if (images.length === 0) return { content, synthesised: [] };
  const blocks = [...readText(content), ...images.map(readImage)];
  return { content: blocks, synthesised: synthesisedPointers(blocks) };
}

function synthesisedPointers(content: readonly (UserContent | AssistantContent)[]): string[] {
  return content.flatMap((block, index) => [
    ...(isTypeSynthesised(block) ? [`/content/${index}/mimeType`] : []),
    ...(block.type === "toolCall" && hasNoId(block) ? [`/content/${index}/id`] : []),
  ]);
}

function readAnswer({ content: text, thinking, images, calls }: Checked, ids: CallIds): AssistantMessage {
  const content: AssistantContent[] = [
    ...(thinking === "" ? [] : [{ type: "thinking" as const, thinking }]),
    ...readText(text),
    ...images.map(readImage),
    ...calls.map((call) => readCall(call, (id, name) => ids.ofCall(id, name))),
  ];
  return unattributedAnswer(content, synthesisedPointers(content));
}

function readResult(
  { content: text, images, toolName, toolCallId }: Checked,
  ids: CallIds,
): ToolResultMessage {
  const call = ids.ofResult(toolCallId, toolName);
  const content = [...readText(text), ...images.map(readImage)];
  const synthesised = [
    "/isError",
    "/timestamp",
    ...(toolName === undefined ? ["/toolName"] : []),
    ...(toolCallId === undefined ? ["/toolCallId"] : []),
    ...synthesisedPointers(content),
  ];
  return {
    role: "toolResult",
    toolCallId: toolCallId ?? call?.id ?? "",
    toolName: toolName ?? call?.name ?? "",
    content,
    isError: false,
    timestamp: 0,
    ext: { synthesised },
  };
}
