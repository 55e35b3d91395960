import { generationOf } from "../../core/api/claude-generation.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { WireMessage } from "./messages.js";

/** The parts of a request that can be marked for the cache. */
export interface Markable {
  system: JsonObject[] | undefined;
  tools: JsonObject[] | undefined;
  messages: WireMessage[];
}

const MARK = { cachePoint: { type: "default" } };

/**
 * Marks the system prompt, the tools and the conversation so far for caching, if the model supports it; other models refuse
 * such a request. A request with its own cache points gets no others.
 */
export function markForCache(request: Markable, model: string): Markable {
  const { system, tools, messages } = request;
  const places = cachedPlaces(model);
  const all = [...(system ?? []), ...(tools ?? []), ...messages.flatMap(({ content }) => content)];
  if (places === undefined || all.some((block) => isObject(block["cachePoint"]))) return request;
  const lastUser = messages.findLastIndex(({ role, content }) => role === "user" && content.length > 0);
  return {
    system: appendMark(system),
    tools: places === "all" ? appendMark(tools) : tools,
    messages: messages.map((message, index) =>
      index === lastUser ? { ...message, content: [...message.content, MARK] } : message,
    ),
  };
}

function appendMark(blocks: JsonObject[] | undefined): JsonObject[] | undefined {
  return blocks === undefined || blocks.length === 0 ? blocks : [...blocks, MARK];
}

/** Where a model accepts cache points. The model behind an inference profile's ARN is unknown. */
function cachedPlaces(model: string): "all" | "not in tools" | undefined {
  const generation = generationOf(model);
  if (generation !== undefined) {
    return generation >= 3.07 || model.includes("claude-3-5-haiku") ? "all" : undefined;
  }
  return model.includes("amazon.nova-") ? "not in tools" : undefined;
}
