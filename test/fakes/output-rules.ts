import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { strictSchemaRefusal } from "./strict/strict-schema.js";

/**
 * What OpenAI refuses in the format of an answer. `named` is the schema with its name, and `messages` the part of the
 * request, called `field`, that must mention JSON.
 */
export function openAiFormatRefusal(
  format: unknown,
  named: unknown,
  messages: unknown,
  field: string,
): string | undefined {
  const { type } = isObject(format) ? format : {};
  if (type === "json_object" && !/json/i.test(JSON.stringify(messages))) {
    return `'${field}' must contain the word 'json' in some form, to use a format of type 'json_object'.`;
  }
  if (type !== "json_schema") return undefined;
  const { name, schema, strict } = isObject(named) ? named : {};
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return "Missing required parameter: 'name' of the schema.";
  if (!isObject(schema)) return "Missing required parameter: 'schema'.";
  return strict === true ? strictSchemaRefusal(name, schema) : undefined;
}

const UNSUPPORTED = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "maxItems", "oneOf"],
];

/** What Anthropic refuses in the schema of an answer, on its own API and on Bedrock. */
export function claudeSchemaRefusal(schema: unknown): string | undefined {
  if (!isObject(schema)) return "output_config.format.schema: Input should be a valid dictionary";
  const { type, minItems, additionalProperties } = schema;
  const unsupported = UNSUPPORTED.find((keyword) => schema[keyword] !== undefined);
  if (unsupported !== undefined)
    return `output_config.format.schema: property '${unsupported}' is not supported`;
  if (Number(minItems ?? 0) > 1) return "'minItems' values other than 0 or 1 are not supported";
  if (type === "object" && additionalProperties !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  }
  return innerSchemas(schema)
    .map(claudeSchemaRefusal)
    .find((refusal) => refusal !== undefined);
}

function innerSchemas({ properties, $defs, items, anyOf }: JsonObject): JsonObject[] {
  const named = [properties, $defs].flatMap((group) => (isObject(group) ? Object.values(group) : []));
  return [...named, items, ...(Array.isArray(anyOf) ? anyOf : [])].filter(isObject);
}

/** What Gemini refuses in the format of an answer. */
export function googleFormatRefusal({
  responseMimeType,
  responseSchema,
  responseJsonSchema,
}: JsonObject): string | undefined {
  const hasSchema = responseSchema !== undefined || responseJsonSchema !== undefined;
  if (hasSchema && responseMimeType !== "application/json") {
    return "* GenerateContentRequest.generation_config.response_schema: only allowed with response mime type application/json";
  }
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    return "* GenerateContentRequest.generation_config: response_schema and response_json_schema must not both be set.";
  }
  return undefined;
}
