import { isObject } from "../../../src/core/json/value.js";

/** What OpenAI says to a schema that cannot be followed strictly: every object is closed, and all its fields are required. */
export function strictSchemaRefusal(name: string, schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const said = `Invalid schema for function '${name}':`;
  if (schema["type"] === "object") {
    if (schema["additionalProperties"] !== false) {
      return `${said} In context=(), 'additionalProperties' is required to be supplied and to be false.`;
    }
    const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
    const required: unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
    const missing = properties.find((property) => !required.includes(property));
    if (missing !== undefined) {
      return `${said} In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  for (const inner of Object.values(isObject(schema["properties"]) ? schema["properties"] : {})) {
    const refused = strictSchemaRefusal(name, inner);
    if (refused !== undefined) return refused;
  }
  return undefined;
}
