import {
  type AssistantMessage,
  type AssistantMessageEvent,
  emptyUsage,
  events,
  MessageReducer,
} from "dragoman";
import type { Case, Work } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { type Aimed, growth, sizeName } from "../support/growth.js";
import { cut, sourceText } from "../support/source-text.js";

const SIZES = [100_000, 1_000_000];
const DELTA_BYTES = 20;

type Content = AssistantMessage["content"];
type Read = (all: readonly AssistantMessageEvent[]) => number;

const contents: Record<string, (size: number) => Content> = {
  text: (size) => [{ type: "text", text: sourceText(size) }],
  "tool call": (size) => [
    { type: "toolCall", id: "1", name: "write", arguments: { path: "a.ts", text: sourceText(size) } },
  ],
};

const readers: Record<string, Read> = {
  "floor: concatenate the deltas": concatenate,
  "MessageReducer, nobody looks": unseen,
  "MessageReducer, a look at every delta": seen,
};

function concatenate(all: readonly AssistantMessageEvent[]): number {
  let text = "";
  for (const event of all) if ("delta" in event) text += event.delta;
  return text.length;
}

function unseen(all: readonly AssistantMessageEvent[]): number {
  const reducer = new MessageReducer();
  for (const event of all) reducer.push(event);
  return lengthOf(reducer.finish());
}

function seen(all: readonly AssistantMessageEvent[]): number {
  const reducer = new MessageReducer();
  let longest = 0;
  for (const event of all) {
    reducer.push(event);
    if (reducer.partial !== undefined) longest = Math.max(longest, lengthOf(reducer.partial));
  }
  return longest;
}

function lengthOf({ content: [block] }: AssistantMessage): number {
  if (block?.type === "text") return block.text.length;
  const text = block?.type === "toolCall" ? block.arguments["text"] : "";
  return typeof text === "string" ? text.length : 0;
}

function eventsOf(content: Content): AssistantMessageEvent[] {
  const message: AssistantMessage = {
    role: "assistant",
    content,
    api: "messages",
    provider: "bench",
    model: "bench",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 0,
  };
  return [...events(message, (text) => cut(text, DELTA_BYTES))];
}

function work(contentOf: (size: number) => Content, read: Read): Work {
  return async (argument) => {
    const size = Number(argument);
    const all = eventsOf(contentOf(size));
    if (read(all) < size) throw new Error("the message did not arrive whole");
    return cpuPerCall(() => read(all));
  };
}

function jobsOf(kind: string, size: number): Aimed[] {
  return Object.keys(readers).map((reader) => ({
    label: `${sizeName(size).padEnd(6)}  ${kind.padEnd(9)}  ${reader}`,
    work: `${kind}, ${reader}`,
    argument: String(size),
    ours: !reader.startsWith("floor"),
  }));
}

export const reduce: Case = {
  title: `a message made from its events, in deltas of ${DELTA_BYTES} bytes`,
  works: Object.fromEntries(
    Object.entries(contents).flatMap(([kind, contentOf]) =>
      Object.entries(readers).map(([reader, read]) => [`${kind}, ${reader}`, work(contentOf, read)]),
    ),
  ),
  async measure(host) {
    const rows = [];
    for (const kind of Object.keys(contents)) {
      rows.push(...(await growth(host, SIZES, (size) => jobsOf(kind, size))));
    }
    return rows;
  },
};
