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

/** The names that the APIs have for the schema of a tool's arguments. */
const SCHEMAS = ["parameters", "input_schema", "parametersJsonSchema"];

/** Losses with pointers to the client's tools: `/tools/4/strict` becomes `/tools/1/tools/2/strict`. */
export function placeTools(family: Family, body: JsonObject, losses: readonly Loss[]): Loss[] {
  if (!losses.some(({ at }) => at.startsWith("/tools/"))) return [...losses];
  const places = toolsIn(family, body)
    .filter(({ tool }) => family.isFunction(tool))
    .flatMap(({ tool, at }) => (family.definitions?.(tool) ?? [""]).map((within) => `${at}${within}`));
  return losses.map((loss) => {
    const [list, index, field, ...within] = parsePointer(loss.at);
    const place = list === "tools" ? places[Number(index)] : undefined;
    if (place === undefined) return loss;
    const names = field === "parameters" ? SCHEMAS : field === undefined ? [] : [field];
    const pointers = names.map((name) => place + formatPointer([name, ...within]));
    return { ...loss, at: pointers.find((at) => resolvePointer(body, at) !== undefined) ?? place };
  });
}
