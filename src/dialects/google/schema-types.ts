import { isObject, type JsonObject } from "../../core/json/value.js";

/** JSON Schema writes types in small letters, Google's older schema often in capitals. */
export function lowerTypes(schema: JsonObject): JsonObject {
  return spelt(schema, (type) => type.toLowerCase());
}

export function upperTypes(schema: JsonObject): JsonObject {
  return spelt(schema, (type) => type.toUpperCase());
}

/** A schema with its types, and those of all schemas in it, spelt another way. */
function spelt(schema: JsonObject, spell: (type: string) => string): JsonObject {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isObject(value) ? spelt(value, spell) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, unknown] => {
      if (key === "type" && typeof value === "string") return [key, spell(value)];
      if (key === "items" || key === "anyOf") return [key, inner(value)];
      if (key !== "properties" || !isObject(value)) return [key, value];
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))];
    }),
  );
}
