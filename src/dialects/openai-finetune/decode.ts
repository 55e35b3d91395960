import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { unattributedAnswer, undated } from "../../core/message/neutral.js";
import type { AgentMessage, AssistantContent, ToolCall } from "../../core/types.js";
import { readContent } from "./blocks.js";
import type { WireCall, WireExample, WireMessage } from "./wire.js";

/** The messages of examples that `encode` wrote. Files are not read: one file holds many conversations. */
export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.flatMap((record, index) => {
    if (!isExample(record)) throw new TypeError("examples are written by the dialect's own encoder");
    return record.messages.map((message) => ({ message: readMessage(message), record: index }));
  });
}

function isExample(record: JsonRecord): record is JsonRecord & WireExample {
  return Array.isArray(record["messages"]);
}

function readMessage(wire: WireMessage): AgentMessage {
  switch (wire.role) {
    case "system":
      return { role: "system", content: wire.content, ...undated() };
    case "user": {
      const sender = wire.name === undefined ? {} : { sender: wire.name };
      return { role: "user", content: readContent(wire.content), ...sender, ...undated() };
    }
    case "assistant": {
      const { content = "", tool_calls: calls = [] } = wire;
      const text: AssistantContent[] = content === "" ? [] : [{ type: "text", text: content }];
      return unattributedAnswer([...text, ...calls.map(readCall)]);
    }
    case "tool": {
      const { tool_call_id: toolCallId, content } = wire;
      return {
        role: "toolResult",
        toolCallId,
        toolName: "",
        content: content === "" ? [] : [{ type: "text", text: content }],
        isError: false,
        timestamp: 0,
        ext: { synthesised: ["/toolName", "/isError", "/timestamp"] },
      };
    }
  }
}

function readCall({ id, function: { name, arguments: text } }: WireCall): ToolCall {
  const values: unknown = JSON.parse(text);
  return { type: "toolCall", id, name, arguments: isObject(values) ? values : {} };
}
