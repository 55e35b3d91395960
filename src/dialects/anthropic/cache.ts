import { isObject, type JsonObject } from "../../core/json/value.js";
import { blocksOf, type WireMessage } from "./messages.js";

/** The parts of a request that can be marked for the cache. */
export interface Markable {
  system: string | JsonObject[] | undefined;
  tools: JsonObject[] | undefined;
  messages: WireMessage[];
}

const MARK = { cache_control: { type: "ephemeral" } };
const MARKED_KINDS = new Set<unknown>(["text", "image", "document", "tool_result"]);

/**
 * Marks the system prompt, the tools and the conversation so far for caching. A request with its own marks gets no others,
 * because the API accepts only four.
 */
export function markForCache(request: Markable): Markable {
  const { system, tools, messages } = request;
  const everything = [
    ...blocksOf(system ?? []),
    ...(tools ?? []),
    ...messages.flatMap(({ content }) => blocksOf(content)),
  ];
  if (everything.some((block) => isObject(block["cache_control"]))) return request;
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  return {
    system: system === undefined ? undefined : markLast(blocksOf(system)),
    tools: tools?.map((tool, index) => (index === tools.length - 1 ? { ...tool, ...MARK } : tool)),
    messages: messages.map((message, index) =>
      index === lastUser ? { ...message, content: markLast(blocksOf(message.content)) } : message,
    ),
  };
}

/** Marks the last block, unless it is empty or of a kind that cannot be marked. */
function markLast(blocks: JsonObject[]): JsonObject[] {
  return blocks.map((block, index) => {
    const markable = MARKED_KINDS.has(block["type"]) && block["text"] !== "";
    return index === blocks.length - 1 && markable ? { ...block, ...MARK } : block;
  });
}
