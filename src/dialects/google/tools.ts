import type { Flags, ToolSpec } from "../../core/api/provider.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { Loss } from "../../core/types.js";
import { cleanSchema } from "./clean-schema.js";
import { lowerTypes, upperTypes } from "./schema-types.js";
import { strippedKeywords } from "./stripped-keywords.js";
import { type FunctionDeclaration, isOptional, unlessEmpty } from "./wire.js";

/** The position and the form of a declaration, in a request that differs from the one that we would write. */
type Slot = {
  /** Its index in the context. */
  tool: number;
  schema?: "parameters" | "PARAMETERS" | "none";
  noDescription?: true;
  rest?: JsonObject;
};

export interface ReadTools {
  specs?: ToolSpec[];
  /** The request's list with a slot for each tool; absent if we would write the same list. */
  layout?: unknown[];
}

/** The functions among the tools of a request. Google's own tools, such as its search, stay in the layout. */
export function readTools(tools: unknown): ReadTools {
  if (tools === undefined) return {};
  if (!Array.isArray(tools)) throw unexpected("/tools", "a list of tools", tools);
  const specs: ToolSpec[] = [];
  const layout = tools.map((entry, index): unknown => {
    if (!isObject(entry) || !Array.isArray(entry["functionDeclarations"])) return entry;
    const slots = entry["functionDeclarations"].map((one, place): Slot => {
      const read = readDeclaration(one, specs.length);
      if (read === undefined) {
        throw unexpected(
          `/tools/${index}/functionDeclarations/${place}`,
          "a function with a name and one parameter schema",
          one,
        );
      }
      specs.push(read.spec);
      return read.slot;
    });
    return { ...entry, functionDeclarations: slots };
  });
  const usual = JSON.stringify([{ functionDeclarations: specs.map((_, tool) => ({ tool })) }]);
  return {
    ...(specs.length === 0 ? {} : { specs }),
    ...(specs.length > 0 && JSON.stringify(layout) === usual ? {} : { layout }),
  };
}

function readDeclaration(value: unknown, tool: number): { spec: ToolSpec; slot: Slot } | undefined {
  if (!isObject(value)) return undefined;
  const { name, description, parameters, parametersJsonSchema, ...rest } = value;
  if (!isString(name) || !isOptional(description, isString)) return undefined;
  if (!isOptional(parameters, isObject) || !isOptional(parametersJsonSchema, isObject)) return undefined;
  if (parameters !== undefined && parametersJsonSchema !== undefined) return undefined;
  const further = unlessEmpty(rest);
  const { schema, form } = readSchema(parametersJsonSchema, parameters);
  return {
    spec: { name, description: description ?? "", parameters: schema },
    slot: {
      tool,
      ...(form === undefined ? {} : { schema: form }),
      ...(description === undefined ? { noDescription: true } : {}),
      ...(further === undefined ? {} : { rest: further }),
    },
  };
}

function readSchema(
  json: JsonObject | undefined,
  older: JsonObject | undefined,
): { schema: JsonObject; form?: Slot["schema"] } {
  if (json !== undefined) return { schema: json };
  if (older === undefined) return { schema: { type: "object", properties: {} }, form: "none" };
  const lower = lowerTypes(older);
  const isUpper = JSON.stringify(upperTypes(lower)) === JSON.stringify(older);
  return isUpper ? { schema: lower, form: "PARAMETERS" } : { schema: older, form: "parameters" };
}

/** A request's tools: the layout with its slots filled, then tools without a slot, then Google's own. */
export function writeTools(
  specs: readonly ToolSpec[],
  layout: unknown,
  own: unknown,
  flags: Flags,
  onLoss: (loss: Loss) => void,
): { tools?: unknown[] } {
  const placed = new Set<number>();
  const write = (spec: ToolSpec, index: number, slot?: Slot) => {
    placed.add(index);
    if (flags.jsonSchema === false && slot?.schema === undefined) reportStripped(spec, index, onLoss);
    if (spec.strict === true) onLoss(strictLoss(index));
    return writeDeclaration(spec, flags, slot);
  };
  const filled = (Array.isArray(layout) ? layout : []).map((entry): unknown => {
    if (!isObject(entry) || !Array.isArray(entry["functionDeclarations"])) return entry;
    const functionDeclarations = entry["functionDeclarations"].flatMap((slot): unknown => {
      const spec = isSlot(slot) ? specs[slot.tool] : undefined;
      if (!isSlot(slot) || spec === undefined) return [];
      return { ...slot.rest, ...write(spec, slot.tool, slot) };
    });
    return { ...entry, functionDeclarations };
  });
  const others = specs.flatMap((spec, index) => (placed.has(index) ? [] : [write(spec, index)]));
  const further = others.length === 0 ? [] : [{ functionDeclarations: others }];
  const tools = [...filled, ...further, ...(Array.isArray(own) ? own : [])];
  return tools.length === 0 && layout === undefined ? {} : { tools };
}

function strictLoss(index: number): Loss {
  const why = "this API does not enforce tool schemas";
  return { at: `/tools/${index}/strict`, what: "the tool's strict mode", why, severity: "dropped" };
}

function reportStripped({ name, parameters }: ToolSpec, index: number, onLoss: (loss: Loss) => void): void {
  for (const { keyword, at, count } of strippedKeywords(parameters)) {
    onLoss({
      at: `/tools/${index}/parameters${at}`,
      what: `"${keyword}" in the schema of ${name}${count === 1 ? "" : `, ${count} times`}`,
      why: "this model's schemas do not support this keyword",
      severity: "dropped",
    });
  }
}

function isSlot(value: unknown): value is Slot {
  return isObject(value) && typeof value["tool"] === "number" && isOptional(value["rest"], isObject);
}

function writeDeclaration(
  { name, description, parameters }: ToolSpec,
  flags: Flags,
  slot?: Slot,
): FunctionDeclaration {
  return {
    name,
    ...(slot?.noDescription === true && description === "" ? {} : { description }),
    ...writeSchema(parameters, flags, slot?.schema),
  };
}

function writeSchema(
  parameters: JsonObject,
  flags: Flags,
  form: Slot["schema"],
): Partial<FunctionDeclaration> {
  switch (form) {
    case "none":
      return {};
    case "parameters":
      return { parameters };
    case "PARAMETERS":
      return { parameters: upperTypes(parameters) };
    case undefined: {
      if (flags.jsonSchema !== false) return { parametersJsonSchema: parameters };
      const cleaned = cleanSchema(parameters);
      // Older models refuse an object without properties, so a function without parameters has no schema.
      return cleaned["properties"] === undefined ? {} : { parameters: cleaned };
    }
  }
}
