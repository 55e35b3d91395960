import { isString } from "../../core/json/value.js";

/** For hints: a tool call as it should be written, with the known values filled in. */
export function callShape(id: unknown, name: unknown): string {
  return `{ "type": "toolCall", "id": ${shown(id)}, "name": ${shown(name)}, "arguments": { … } }`;
}

/** The same for a tool result. */
export function resultShape(id: unknown, name?: unknown, isError?: unknown): string {
  const fields = [
    `"role": "toolResult"`,
    `"toolCallId": ${shown(id)}`,
    `"toolName": ${shown(name)}`,
    `"content": [{ "type": "text", "text": "…" }]`,
    `"isError": ${isError === true}`,
  ];
  return `{ ${fields.join(", ")} }`;
}

export function shown(value: unknown): string {
  return isString(value) ? JSON.stringify(value) : '"…"';
}
