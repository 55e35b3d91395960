import { isObject, type JsonObject } from "../../core/json/value.js";

/** JSON Schema has lower-case types; Google's older schemas often have upper-case ones. */
export function lowerTypes(schema: JsonObject): JsonObject {
  return mapTypes(schema, (type) => type.toLowerCase());
}

export function upperTypes(schema: JsonObject): JsonObject {
  return mapTypes(schema, (type) => type.toUpperCase());
}

/** Maps the types of a schema and of all schemas in it. */
function mapTypes(schema: JsonObject, map: (type: string) => string): JsonObject {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isObject(value) ? mapTypes(value, map) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, unknown] => {
      if (key === "type" && typeof value === "string") return [key, map(value)];
      if (key === "items" || key === "anyOf") return [key, inner(value)];
      if (key !== "properties" || !isObject(value)) return [key, value];
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))];
    }),
  );
}
