import type { AgentMessage, Loss } from "../../src/core/index.js";

/** The first bytes of a PNG file, so that what says it is a picture is one. */
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** Roles whose messages are for models. Status lines and errors are for people. */
const SPEAKING = new Set([
  "user",
  "system",
  "assistant",
  "toolResult",
  "compaction",
  "agentComplete",
  "agentMessage",
  "custom",
]);

/** Something a conversation says: a word that occurs nowhere else in it, and where it is. */
export interface Mark {
  word: string;
  /** Pointer into the messages. */
  at: string;
}

/**
 * The same conversation with a word of its own in every place that says something: text, thinking, arguments, results, files,
 * prompts, summaries. Whatever is made of the conversation either holds the word or must name what it left out. Ids, times,
 * usage and the notes of dialects are not what a conversation says.
 */
export function marked(messages: readonly AgentMessage[]): { messages: AgentMessage[]; marks: Mark[] } {
  const marks: Mark[] = [];
  const next = (at: string): string => {
    const word = `mark${marks.length}x`;
    marks.push({ word, at });
    return word;
  };
  /** JSON with a word in each string. */
  const value = (given: unknown, at: string): unknown => {
    if (typeof given === "string") return next(at);
    if (Array.isArray(given)) return given.map((item, index) => value(item, `${at}/${index}`));
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(
      Object.entries(given).map(([key, item]) => [key, value(item, `${at}/${pointerToken(key)}`)]),
    );
  };
  const opaque = (given: unknown, at: string): unknown =>
    typeof given === "object" ? { ...given, said: next(`${at}/said`) } : given;
  const block = (given: unknown, at: string): unknown => {
    if (typeof given !== "object" || given === null || !("type" in given)) return given;
    switch (given.type) {
      case "text":
        return { ...given, text: next(`${at}/text`) };
      case "thinking":
        return { ...given, thinking: next(`${at}/thinking`) };
      case "toolCall":
        return { ...given, arguments: { given: next(`${at}/arguments/given`) } };
      case "image":
      case "audio":
      case "file":
        return "url" in given
          ? { ...given, url: `https://example.com/${next(at)}` }
          : withBytes(given, next, at);
      default:
        return "value" in given ? { ...given, value: opaque(given.value, `${at}/value`) } : given;
    }
  };
  const content = (given: unknown, at: string): unknown =>
    Array.isArray(given) ? given.map((one, index) => block(one, `${at}/${index}`)) : next(at);
  /** By field: a message has those that its role has. */
  const marking: Record<string, (given: unknown, at: string) => unknown> = {
    content,
    summary: (_, at) => next(at),
    result: value,
    payload: value,
  };
  const changed = messages.map((message, index) => {
    if (!SPEAKING.has(message.role)) return message;
    return Object.fromEntries(
      Object.entries(message).map(([field, given]) => {
        const mark = Object.hasOwn(marking, field) ? marking[field] : undefined;
        return [field, mark === undefined ? given : mark(given, `/messages/${index}/${field}`)];
      }),
    );
  });
  return { messages: changed as AgentMessage[], marks };
}

/** Files travel as base64: the word is that of the whole file. */
function withBytes(given: object, next: (at: string) => string, at: string): object {
  const isImage = "type" in given && given.type === "image";
  const data = base64(next(`${at}/data`));
  return { ...given, data, ...(isImage ? { mimeType: "image/png" } : {}) };
}

function base64(word: string): string {
  return Buffer.concat([PNG, Buffer.from(word)]).toString("base64");
}

/** How a word is written in a text: as it is, or in the base64 of a picture. */
export function holds(text: string, word: string): boolean {
  return text.includes(word) || text.includes(base64(word));
}

function pointerToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Whether a loss is about a place: it names the place itself, something around it, or something in it. */
export function names({ at, severity }: Loss, place: string): boolean {
  return severity !== "synthesised" && (isWithin(place, at) || isWithin(at, place));
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** What is neither in a text nor named by a loss. */
export function silent(marks: readonly Mark[], text: string, losses: readonly Loss[]): Mark[] {
  return marks.filter(({ word, at }) => !holds(text, word) && !losses.some((loss) => names(loss, at)));
}
