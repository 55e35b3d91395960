import {
  type AgentMessage,
  type AssistantMessage,
  lossLine,
  lossSummary,
  noteOf,
  type ToolResultMessage,
  type UserMessage,
} from "dragoman/core";
import { errorNote } from "./errors.js";
import { contentParts, type NotePart, type Part, textParts } from "./parts.js";

type NoteMessage = Exclude<AgentMessage, AssistantMessage | ToolResultMessage | UserMessage>;

/** What is shown of messages that are neither said nor answered. */
export function noteParts(message: NoteMessage): Part[] {
  switch (message.role) {
    case "session":
      return [];
    case "system":
      return folded("quiet", "Instructions to the model", message.content);
    case "status":
      return [
        {
          type: "note",
          tone: "status",
          title: [message.sender, message.detail ?? message.state]
            .filter((text) => text !== undefined)
            .join(": "),
        },
      ];
    case "error":
      return [errorNote(message)];
    case "agentComplete":
      return folded("quiet", `${message.sender ?? message.agentId} is done`, message.result);
    case "agentMessage":
      return typeof message.payload === "string"
        ? textParts(message.payload, true)
        : [{ type: "json", title: "message", value: message.payload }];
    case "compaction":
      return [
        {
          type: "note",
          tone: "quiet",
          title: "What was said before was summarised for the model",
          text: message.summary,
        },
      ];
    case "custom":
      return customParts(message);
    default: {
      // A role of somebody's own, which the model lets pass.
      const unknown: AgentMessage = message;
      return [{ type: "json", title: unknown.role, value: unknown }];
    }
  }
}

/** Text under a title; what is no text is shown as it is. */
function folded(tone: NotePart["tone"], title: string, content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "note", tone, title, text: content }];
  if (Array.isArray(content)) {
    const texts = content.map((block) => (block?.type === "text" ? block.text : undefined));
    if (texts.every((text) => typeof text === "string")) {
      return [{ type: "note", tone, title, text: texts.join("\n\n") }];
    }
  }
  return [{ type: "json", title, value: content }];
}

/** Our own lines say what was settled; a message that waits in the inbox is shown when it is taken out. */
function customParts(message: Extract<NoteMessage, { role: "custom" }>): Part[] {
  const { customType, content, data } = message;
  switch (customType) {
    case "dragoman/inbox":
      return [];
    case "dragoman/meta": {
      const settled = Object.entries(data ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      return [{ type: "note", tone: "quiet", title: `Settings changed (${settled.join(", ")})` }];
    }
    case "dragoman/losses": {
      const note = noteOf(message);
      if (note?.type !== "dragoman/losses") return [{ type: "json", title: customType, value: data ?? null }];
      const text = note.data.losses.map((loss) => `- ${lossLine(loss)}`).join("\n");
      return [{ type: "note", tone: "quiet", title: lossSummary(note.data), text }];
    }
    case "dragoman/undo-compaction":
      return [
        { type: "note", tone: "quiet", title: "The summary no longer stands for what was said before" },
      ];
    default: {
      const shown = content === undefined ? [] : contentParts(content, true);
      return data === undefined && shown.length > 0
        ? shown
        : [...shown, { type: "json", title: customType, value: data ?? null }];
    }
  }
}
