import { generationOf } from "../../core/api/claude-generation.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { WireMessage } from "./messages.js";

/** What a request is about to say, where prompts can be marked for the cache. */
export interface Markable {
  system: JsonObject[] | undefined;
  tools: JsonObject[] | undefined;
  messages: WireMessage[];
}

const MARK = { cachePoint: { type: "default" } };

/**
 * Asks for the system prompt, the tools and the conversation so far to be cached, where the model can do that; other models
 * refuse the request. A request that has cache points of its own keeps those alone.
 */
export function markForCache(request: Markable, model: string): Markable {
  const { system, tools, messages } = request;
  const places = cachedPlaces(model);
  const all = [...(system ?? []), ...(tools ?? []), ...messages.flatMap(({ content }) => content)];
  if (places === undefined || all.some((block) => isObject(block["cachePoint"]))) return request;
  const lastUser = messages.findLastIndex(({ role, content }) => role === "user" && content.length > 0);
  return {
    system: marked(system),
    tools: places === "all" ? marked(tools) : tools,
    messages: messages.map((message, index) =>
      index === lastUser ? { ...message, content: [...message.content, MARK] } : message,
    ),
  };
}

function marked(blocks: JsonObject[] | undefined): JsonObject[] | undefined {
  return blocks === undefined || blocks.length === 0 ? blocks : [...blocks, MARK];
}

/** Where a model accepts cache points. Models behind an ARN of an application's profile are not known. */
function cachedPlaces(model: string): "all" | "not in tools" | undefined {
  const generation = generationOf(model);
  if (generation !== undefined) {
    return generation >= 3.07 || model.includes("claude-3-5-haiku") ? "all" : undefined;
  }
  return model.includes("amazon.nova-") ? "not in tools" : undefined;
}
