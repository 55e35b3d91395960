import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { type CountFields, countedUsage } from "../../core/message/counted-usage.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { responsesIn } from "../../core/records/content-parts.js";
import type {
  AssistantContent,
  AssistantMessage,
  CompactionMessage,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "../../core/types.js";
import { extWith, readAnswerPart, readResponse, readUserPart, writeParts, writeResponse } from "./notes.js";
import { SIGNING_API } from "./wire.js";

export type Base = Pick<UserMessage, "timestamp" | "id" | "parentId">;
type Replacement = NonNullable<CompactionMessage["replacement"]>;

/** An answer from its parts. A line states the model and the tokens at most. */
export function answerOf(
  content: AssistantContent[],
  { model, usage }: { model?: unknown; usage?: unknown },
  base: Base,
  synthesised: readonly string[] = [],
): AssistantMessage {
  const tokens = countedUsage(usage, TOKENS);
  return {
    role: "assistant",
    content,
    api: "",
    provider: "",
    model: isString(model) ? model : "",
    usage: tokens ?? emptyUsage(),
    stopReason: impliedStop(content),
    ...base,
    ...extWith({}, [
      ...content.flatMap((block, index) =>
        block.type === "toolCall" && block.id === "" ? [`/content/${index}/id`] : [],
      ),
      "/api",
      "/provider",
      ...(isString(model) ? [] : ["/model"]),
      tokens === undefined ? "/usage" : "/usage/cost",
      "/stopReason",
      ...synthesised,
    ]),
  };
}

/** A single plain text is a string. */
export function readUserContent(parts: readonly unknown[]): UserMessage["content"] {
  const [first, ...others] = parts;
  const isText = others.length === 0 && isObject(first) && Object.keys(first).length === 1;
  return isText && isString(first["text"]) ? first["text"] : parts.map(readUserPart);
}

export function writeUserContent(content: UserMessage["content"]): unknown[] {
  return typeof content === "string" ? [{ text: content }] : writeParts(content, false);
}

/** Signatures of an unknown API stay; those of another one would be refused. */
export function writeAnswerContent({ content, api }: AssistantMessage): unknown[] {
  return writeParts(content, api === "" || api === SIGNING_API);
}

/** Thoughts are counted beside the answer. */
const TOKENS: CountFields = {
  prompt: ["promptTokenCount", "toolUsePromptTokenCount"],
  cached: "cachedContentTokenCount",
  output: ["candidatesTokenCount", "thoughtsTokenCount"],
  total: "totalTokenCount",
};

export function writeUsage({ input, output, cacheRead, cacheWrite, totalTokens }: Usage): JsonObject {
  return {
    promptTokenCount: input + cacheRead + cacheWrite,
    candidatesTokenCount: output,
    cachedContentTokenCount: cacheRead,
    totalTokenCount: totalTokens,
  };
}

/** The messages of a compressed history; undefined if it has other contents. */
export function readHistory(history: readonly unknown[], timestamp: number): Replacement | undefined {
  const messages: Replacement = [];
  for (const content of history) {
    if (!isObject(content) || !Array.isArray(content["parts"])) return undefined;
    const { role, parts } = content;
    if (role === "model") {
      messages.push(answerOf(parts.map(readAnswerPart), {}, { timestamp }, ["/timestamp"]));
      continue;
    }
    if (role !== "user") return undefined;
    const untimed = { timestamp, ...extWith({}, ["/timestamp"]) };
    const groups = responsesIn(parts);
    if (groups === undefined) messages.push({ role: "user", content: readUserContent(parts), ...untimed });
    else
      messages.push(...groups.map((group) => resultOf(readResponse(group), { timestamp }, ["/timestamp"])));
  }
  return messages;
}

export function resultOf(
  { ext, ...read }: ReturnType<typeof readResponse>,
  base: Base,
  synthesised: readonly string[],
): ToolResultMessage {
  const unnamed = read.toolCallId === "" ? ["/toolCallId"] : [];
  return { role: "toolResult", ...read, ...base, ...extWith({}, [...unnamed, ...synthesised], ext) };
}

/** Consecutive results are one content, as the API requires. */
export function writeHistory(messages: Replacement): JsonObject[] {
  const history: JsonObject[] = [];
  let results: JsonObject[] | undefined;
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (results === undefined) {
        results = [];
        history.push({ role: "user", parts: results });
      }
      results.push(...writeResponse(message));
      continue;
    }
    results = undefined;
    const isAnswer = message.role === "assistant";
    const parts = isAnswer ? writeAnswerContent(message) : writeUserContent(message.content);
    history.push({ role: isAnswer ? "model" : "user", parts });
  }
  return history;
}
