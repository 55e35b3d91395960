import type { Decoded, Dialect, Framing, JsonRecord, Limit } from "../dialect.js";
import type { AgentMessage } from "../types.js";
import { is } from "../validate.js";
import { type ShownOnPage, showOnPage } from "./shown-message.js";

interface PageOptions {
  name: string;
  title: string;
  /** The file's extension. */
  extension: string;
  /** Whether the page contains the bytes of media. */
  embeds: boolean;
  open(): PageWriter;
}

/** Writes a page, one message after another. */
export interface PageWriter {
  push(shown: ShownOnPage): string;
  finish(): string;
}

/**
 * The dialect of a page for people, which is only written. Each record is a message as the page shows it. Decoding a
 * record therefore states what a reader of the page can learn, and the ledger lists the rest as losses.
 */
export function pageDialect({ name, title, extension, embeds, open }: PageOptions): Dialect {
  return {
    name,
    title,
    kind: "transcript",
    framing: textFraming(extension, open),
    oneWay: { only: "writes", hint: "read the transcript that the page was written from" },
    branches: false,
    limits: pageLimits,
    detect: () => 0,
    joins: () => false,
    joinsMessage: () => false,
    decode: (records) => records.map(decode),
    encode: (unit) => unit.flatMap((message) => encode(message, embeds)),
  };
}

function encode(message: AgentMessage, embeds: boolean): JsonRecord[] {
  const shown = showOnPage(message, embeds);
  return shown === undefined ? [] : [{ ...shown }];
}

function decode(record: JsonRecord, index: number): Decoded {
  return { message: readRecord(record).message, record: index };
}

function readRecord({ message, indexes }: JsonRecord): ShownOnPage {
  if (!is("AgentMessage", message) || !Array.isArray(indexes)) {
    throw new TypeError("a page's records are written by its own encoder");
  }
  return { message, indexes: indexes.map(Number) };
}

function textFraming(extension: string, open: () => PageWriter): Framing {
  return {
    kind: "text",
    extension,
    open: () => {
      const writer = open();
      return {
        push: (records) => records.map((record) => writer.push(readRecord(record))),
        finish: () => [writer.finish()],
      };
    },
  };
}

const unreadable = "a page shows unprintable characters as symbols, and names on one line";
const signature = "a signature serves only the provider that made it";

/** The texts of messages that a page shows. */
const shownFields = [
  ...["/title", "/agent", "/key", "/sender", "/model", "/errorMessage", "/toolName", "/toolCallId", "/code"],
  ...["/customType", "/agentId", "/senderId", "/replyTo", "/summary", "/content"],
];

/** Data that no page shows. */
const pageLimits: readonly Limit[] = [
  { at: "/id", why: "a page shows no ids of messages" },
  { at: "/parentId", why: "a page shows one branch, in order" },
  { at: "/timestamp", why: "a page shows only times that the source records as a date" },
  ...["/api", "/provider", "/usage"].map((at) => ({
    at,
    role: "assistant",
    why: "a page shows the model of an answer, but not its API, provider or cost",
  })),
  { at: "/details", role: "toolResult", why: "a page shows what the model was shown" },
  { at: "/content/*/textSignature", why: signature },
  { at: "/content/*/thinkingSignature", why: signature },
  { at: "/content/*/thoughtSignature", why: signature },
  { at: "/content/*/ext", why: "only the dialects named in it can represent it" },
  { at: "/content/*/detail", why: "a page shows images in their own size" },
  { at: "/content/*/data", why: "a page contains only media that it can show, and names the others" },
  ...shownFields.map((at) => ({ at, why: unreadable })),
  { at: "/recoverable", role: "error", why: "a page shows only the text and the code of an error" },
  { at: "/parent", role: "session", why: "a page is one session" },
  { at: "/data", role: "custom", why: "a page does not show data for programs" },
  { at: "", role: "custom", why: "a page does not show data for programs" },
  { at: "", role: "status", why: "a page shows the conversation, not what the agent was doing" },
  { at: "", role: "compaction", why: "a page shows only the summary of a compaction" },
];
