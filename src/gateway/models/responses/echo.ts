import { isObject, type JsonObject } from "../../../core/json/value.js";

/** The fields of a request that a response repeats. */
const ECHOED = [
  "instructions",
  "max_output_tokens",
  "metadata",
  "parallel_tool_calls",
  "previous_response_id",
  "reasoning",
  "store",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_p",
  "user",
];

/** A response with what it repeats of its request. */
export function echoRequest(response: JsonObject, body: JsonObject): JsonObject {
  const asked = ECHOED.flatMap((field) => (body[field] == null ? [] : [[field, body[field]]]));
  const { conversation } = body;
  return {
    ...response,
    previous_response_id: null,
    store: true,
    ...Object.fromEntries(asked),
    conversation: isObject(conversation) ? conversation : null,
  };
}
