import type { ToolSpec } from "../../core/api/provider.js";
import { isObject } from "../../core/json/value.js";
import type { ConnectorEvent } from "../connectors.js";
import { sampleOf } from "./sample.js";
import { words } from "./words.js";

/** A call of a tool with arguments that fit its schema; the text is the value of strings. */
export function* callTool(
  { name, parameters }: ToolSpec,
  id: string,
  text: string,
): Generator<ConnectorEvent> {
  const sample = sampleOf({ type: "object", ...parameters }, text);
  const given = isObject(sample) ? sample : {};
  yield { type: "toolcall_start", id, name };
  for (const delta of words(JSON.stringify(given))) yield { type: "toolcall_delta", delta };
  yield { type: "toolcall_end", toolCall: { id, name, arguments: given } };
}
