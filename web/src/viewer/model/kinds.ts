import type { Item } from "../../transcript/items.js";
import type { Part } from "../../transcript/parts.js";

/** What a reader may want to see alone. A failed tool call is of two kinds. */
export const kinds = ["prompts", "answers", "thinking", "tools", "errors", "notes"] as const;
export type Kind = (typeof kinds)[number];

function kindsOf({ message }: Pick<Item, "message">, part: Part): readonly Kind[] {
  if (message.role === "user") return ["prompts"];
  switch (part.type) {
    case "thinking":
      return ["thinking"];
    case "tool":
      return part.result?.isError === true || part.call.argumentsError !== undefined
        ? ["tools", "errors"]
        : ["tools"];
    case "note":
      return part.tone === "error" ? ["errors"] : ["notes"];
    default:
      return message.role === "assistant" || message.role === "agentMessage" ? ["answers"] : ["notes"];
  }
}

/** How many parts there are of each kind. */
export function countKinds(items: readonly Item[]): Record<Kind, number> {
  const counts = { prompts: 0, answers: 0, thinking: 0, tools: 0, errors: 0, notes: 0 };
  for (const item of items) {
    for (const part of item.parts) {
      if (part.type === "usage") continue;
      for (const kind of kindsOf(item, part)) counts[kind]++;
    }
  }
  return counts;
}

/** The parts of the chosen kinds, in items of their own; everything if no kind is chosen. */
export function itemsOfKinds(items: readonly Item[], chosen: ReadonlySet<Kind>): readonly Item[] {
  if (chosen.size === 0) return items;
  return items.flatMap((item) => {
    const places = item.parts.flatMap((part, at) =>
      kindsOf(item, part).some((kind) => chosen.has(kind)) ? [at] : [],
    );
    if (places.length === 0) return [];
    if (places.length === item.parts.length) return [item];
    return [{ ...item, parts: places.flatMap((at) => item.parts[at] ?? []), places }];
  });
}
