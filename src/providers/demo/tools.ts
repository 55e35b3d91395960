import type { Context } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { ConnectorEvent } from "../connectors.js";
import { countTokens, lastTurn, textOf, words } from "./words.js";

/** Thinks, calls every tool it has once, and then tells what they gave. */
export async function* tools(context: Context): AsyncGenerator<ConnectorEvent> {
  const { question, since } = lastTurn(context);
  const results = since.filter((message) => message.role === "toolResult");
  const available = context.tools ?? [];
  if (results.length === 0 && available.length > 0) {
    const thought = `I have ${available.map(({ name }) => name).join(", ")}. I will try ${available.length === 1 ? "it" : "them"}.`;
    for (const delta of words(thought)) yield { type: "thinking_delta", delta };
    yield { type: "thinking_end" };
    for (const [index, { name, parameters }] of available.entries()) {
      const id = `call_${context.messages.length}_${index}`;
      const given = example(parameters, question);
      yield { type: "toolcall_start", id, name };
      for (const delta of words(JSON.stringify(given))) yield { type: "toolcall_delta", delta };
      yield { type: "toolcall_end", toolCall: { id, name, arguments: given } };
    }
    yield { type: "done", stopReason: "toolUse", usage: countTokens(context, thought) };
    return;
  }
  const answer =
    results.length === 0
      ? "I was given no tools."
      : results.map((result) => `${result.toolName} said: ${textOf(result)}`).join("\n");
  for (const delta of words(answer)) yield { type: "text_delta", delta };
  yield { type: "done", stopReason: "stop", usage: countTokens(context, answer) };
}

/** Arguments that fit a schema: the question for required texts, the smallest value for the rest. */
function example(schema: JsonObject, question: string): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required: unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    required.filter((key) => typeof key === "string").map((key) => [key, value(properties[key], question)]),
  );
}

function value(schema: unknown, question: string): unknown {
  if (!isObject(schema)) return question;
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  switch (schema["type"]) {
    case "number":
    case "integer":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return example(schema, question);
    case "null":
      return null;
    default:
      return question;
  }
}
