import { formatPointer, joinPointer, parsePointer, resolvePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import type { Family } from "./family.js";

/** A tool of a request, and the pointer to it. */
export interface PlacedTool {
  tool: JsonObject;
  at: string;
}

/** The tools of a request, in the order in which they are read. */
export function toolsIn({ toolLists }: Family, body: JsonObject): PlacedTool[] {
  return (toolLists?.(body) ?? ["/tools"]).flatMap((list) => {
    const tools = resolvePointer(body, list);
    return (Array.isArray(tools) ? tools : []).flatMap((tool, index): PlacedTool[] =>
      isObject(tool) ? [{ tool, at: joinPointer(list, index) }] : [],
    );
  });
}

/**
 * Losses with pointers to the client's tools: `/tools/4/strict` becomes `/tools/1/tools/2/strict`. A schema that the gateway
 * wrote for a tool is not the client's, so nothing in it is reported.
 */
export function placeTools(family: Family, body: JsonObject, losses: readonly Loss[]): Loss[] {
  if (!losses.some(({ at }) => at.startsWith("/tools/"))) return [...losses];
  const { schemaFields = ["parameters"] } = family;
  const places = toolsIn(family, body)
    .filter(({ tool }) => family.isFunction(tool))
    .flatMap(({ tool, at }) => (family.definitions?.(tool) ?? [""]).map((within) => `${at}${within}`));
  const isSent = (at: string) => resolvePointer(body, at) !== undefined;
  return losses.flatMap((loss) => {
    const [list, index, field, ...within] = parsePointer(loss.at);
    const place = list === "tools" ? places[Number(index)] : undefined;
    if (place === undefined) return loss;
    const fields = field === "parameters" ? schemaFields : field === undefined ? [] : [field];
    const at = fields.map((name) => place + formatPointer([name, ...within])).find(isSent);
    if (at === undefined && field === "parameters") return [];
    return { ...loss, at: at ?? place };
  });
}
