import type { AgentMessage, UserContent } from "../core/types.js";

/**
 * The indexes of the blocks that are missing where a user message was joined to the one before it; undefined when
 * all are.
 */
export function missingWhenJoined(message: AgentMessage, before: AgentMessage): number[] | undefined {
  if (message.role !== "user" || before.role !== "user") return undefined;
  const joined = contentsOf(before);
  const blocks = blocksOf(message.content);
  const missing = blocks.flatMap((block, index) => (joined.has(contentOf(block)) ? [] : [index]));
  return missing.length === blocks.length ? undefined : missing;
}

/** Cached: any number of messages can be joined to one. */
const listed = new WeakMap<AgentMessage, ReadonlySet<string>>();

function contentsOf(message: Extract<AgentMessage, { role: "user" }>): ReadonlySet<string> {
  const known = listed.get(message);
  if (known !== undefined) return known;
  const contents = new Set(blocksOf(message.content).map(contentOf));
  listed.set(message, contents);
  return contents;
}

function blocksOf(content: string | readonly UserContent[]): readonly UserContent[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function contentOf(block: UserContent): string {
  switch (block.type) {
    case "text":
      return `text ${block.text}`;
    case "image":
    case "audio":
    case "file":
      return `${block.type} ${block.data ?? block.url}`;
    case "opaque":
      return `opaque ${JSON.stringify(block.value)}`;
  }
}
