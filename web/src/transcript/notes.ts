import {
  type AgentMessage,
  type AssistantMessage,
  type Loss,
  type LossRecord,
  noteOf,
  type ToolResultMessage,
  type UserMessage,
} from "dragoman/core";
import { texts } from "../text/texts.js";
import { errorNote } from "./errors.js";
import { contentParts, type NotePart, type Part, textParts } from "./parts.js";

type NoteMessage = Exclude<AgentMessage, AssistantMessage | ToolResultMessage | UserMessage>;

/** The parts of messages other than the user's, the assistant's and tool results. */
export function noteParts(message: NoteMessage): Part[] {
  switch (message.role) {
    case "session":
      return [];
    case "system":
      return folded("quiet", texts.transcript.systemPrompt, message.content);
    case "status": {
      const { sender, state, detail = state } = message;
      return [
        { type: "note", tone: "status", title: sender === undefined ? detail : `${sender}: ${detail}` },
      ];
    }
    case "error":
      return [errorNote(message)];
    case "agentComplete":
      return folded("quiet", texts.transcript.isDone(message.sender ?? message.agentId), message.result);
    case "agentMessage":
      return typeof message.payload === "string"
        ? textParts(message.payload, true)
        : [{ type: "json", title: texts.transcript.agentMessage, value: message.payload }];
    case "compaction":
      return folded("quiet", texts.transcript.summarised, message.summary);
    case "custom":
      return customParts(message);
    default: {
      // A custom role, which the format allows.
      const unknown: AgentMessage = message;
      return [{ type: "json", title: unknown.role, value: unknown }];
    }
  }
}

/** Text under a title; other content as JSON. */
function folded(tone: NotePart["tone"], title: string, content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "note", tone, title, text: content }];
  if (Array.isArray(content)) {
    const found = content.map((block) => (block?.type === "text" ? block.text : undefined));
    if (found.every((text) => typeof text === "string")) {
      return [{ type: "note", tone, title, text: found.join("\n\n") }];
    }
  }
  return [{ type: "json", title, value: content }];
}

/** Queued messages are not shown here: they appear once they are delivered. Nor are the gateway's own records, and notes that only name the leaf. */
function customParts(message: Extract<NoteMessage, { role: "custom" }>): Part[] {
  const { customType, content, data } = message;
  switch (customType) {
    case "dragoman/inbox":
    case "dragoman/leaf":
    case "dragoman/question":
    case "dragoman/response":
    case "dragoman/conversation":
    case "dragoman/deleted":
      return [];
    case "dragoman/meta": {
      const titles = Object.entries(data ?? {}).flatMap(([name, value]) => metaTitle(name, value));
      return titles.map((title) => ({ type: "note", tone: "quiet", title }));
    }
    case "dragoman/losses": {
      const note = noteOf(message);
      if (note?.type !== "dragoman/losses") return [{ type: "json", title: customType, value: data ?? null }];
      const text = note.data.losses.map((loss) => `- ${lossLine(loss)}`).join("\n");
      return [{ type: "note", tone: "quiet", title: lossSummary(note.data), text }];
    }
    case "dragoman/undo-compaction":
      return [{ type: "note", tone: "quiet", title: texts.transcript.summaryRemoved }];
    default: {
      const shown = content === undefined ? [] : contentParts(content, true);
      return data === undefined && shown.length > 0
        ? shown
        : [...shown, { type: "json", title: customType, value: data ?? null }];
    }
  }
}

/** `left out audio (this API does not accept it)` */
function lossLine({ what, why, severity }: Loss): string {
  return texts.transcript.losses.lines[severity](what, why);
}

/** `Request to ollama/qwen3: left out audio (this API does not accept it), and 2 more` */
function lossSummary({ border, target, losses }: LossRecord): string {
  const { headings, andMore } = texts.transcript.losses;
  const heading = headings[border](target);
  const [first, ...more] = losses;
  return first === undefined ? heading : andMore(heading, lossLine(first), more.length);
}

/** What a change of the session's settings means to the reader. Titles are shown elsewhere; records of programs are internal. */
function metaTitle(name: string, value: unknown): string[] {
  switch (name) {
    case "title":
    case "archived":
    case "acp":
      return [];
    case "model":
      return [texts.transcript.fromHereOn(String(value))];
    case "cwd":
      return [texts.transcript.fromHereOnIn(String(value))];
    default:
      return [texts.transcript.changed(name, JSON.stringify(value))];
  }
}
