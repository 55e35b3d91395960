import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import type { AgentMessage } from "../../core/types.js";
import { wrapped, writeBlock } from "./blocks.js";
import { notesOf } from "./notes.js";
import { NAME } from "./wire.js";

const PREFIX = `${NAME}/`;

export function joinsMessage(): boolean {
  return false;
}

/** The line of a message. Only transcripts that Cursor wrote are written again. */
export function encode(unit: readonly AgentMessage[]): JsonRecord[] {
  return unit.flatMap(encodeMessage);
}

function encodeMessage(message: AgentMessage): JsonRecord[] {
  const notes = notesOf(message);
  switch (message.role) {
    case "user": {
      const { content } = message;
      const written =
        typeof content === "string" ? wrapped(content, notes) : content.flatMap((block) => writeBlock(block));
      return [restore({ role: "user", message: { content: written } }, notes)];
    }
    case "assistant": {
      const [first] = message.content;
      const isText = notes["string"] === true && first?.type === "text" && message.content.length === 1;
      const content = isText
        ? first.text
        : message.content.flatMap((block, index) =>
            writeBlock(block, !isSynthesised(message, `/content/${index}/id`)),
          );
      return [restore({ role: "assistant", message: { content } }, notes)];
    }
    case "custom": {
      const { customType, data } = message;
      if (!customType.startsWith(PREFIX)) return [];
      return [{ type: customType.slice(PREFIX.length), ...(isObject(data) ? data : {}) }];
    }
    default:
      return [];
  }
}
