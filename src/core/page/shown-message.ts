import { defined } from "../json/defined.js";
import { isSynthesised, neutralOrigin } from "../message/neutral.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage, UserContent } from "../types.js";
import { type Embeds, showAnswer, showBlocks } from "./shown-blocks.js";
import { isShownTime, shownLine, shownText } from "./shown-text.js";

/** A message as a page shows it: what the page does not show is absent, or a neutral value listed in `ext.synthesised`. */
export interface ShownOnPage {
  message: AgentMessage;
  /** The index in the source of each shown block; the pointers in `ext.synthesised` use it. */
  indexes: number[];
}

/** Undefined if the page does not show the message. */
export function showOnPage(message: AgentMessage, embeds: Embeds): ShownOnPage | undefined {
  switch (message.role) {
    case "user":
    case "system": {
      const { role, content } = message;
      const { indexes, unshown, ...shown } = showContent(content, embeds);
      return { indexes, message: { role, ...shown, ...attributes(message, unshown) } };
    }
    case "assistant":
      return showAssistant(message, embeds);
    case "toolResult":
      return showResult(message, embeds);
    case "session": {
      const { role, title, agent, key } = message;
      return whole({
        role,
        ...defined({ title: line(title), agent: line(agent), key: line(key) }),
        ...attributes(message),
      });
    }
    case "error": {
      const { role, content, code } = message;
      return whole({
        role,
        content: shownText(content),
        ...defined({ code: line(code) }),
        ...attributes(message),
      });
    }
    case "compaction": {
      const { role, summary } = message;
      return whole({ role, summary: shownText(summary), ...attributes(message) });
    }
    case "custom": {
      const { role, customType, content } = message;
      if (content === undefined) return undefined;
      const { indexes, unshown, ...shown } = showContent(content, embeds);
      const fields = { customType: shownLine(customType), ...shown };
      return { indexes, message: { role, ...fields, ...attributes(message, unshown) } };
    }
    case "agentComplete": {
      const { role, agentId, result } = message;
      return whole({ role, agentId: shownLine(agentId), result, ...attributes(message) });
    }
    case "agentMessage": {
      const { role, senderId, payload, replyTo } = message;
      return whole({
        role,
        senderId: shownLine(senderId),
        payload,
        ...defined({ replyTo: line(replyTo) }),
        ...attributes(message),
      });
    }
    default:
      return undefined;
  }
}

function showAssistant(message: AssistantMessage, embeds: Embeds): ShownOnPage {
  const { content, indexes, unshown } = showAnswer(message.content, embeds);
  const { model, stopReason, errorMessage } = message;
  const neutral = neutralOrigin(message.content);
  const hasModel = model !== "" && !isSynthesised(message, "/model");
  const marks = ["/api", "/provider", ...(hasModel ? [] : ["/model"]), "/usage", ...unshown];
  return {
    message: {
      role: "assistant",
      content,
      ...neutral,
      model: hasModel ? shownLine(model) : neutral.model,
      stopReason,
      ...(errorMessage === undefined ? {} : { errorMessage: shownText(errorMessage) }),
      ...attributes(message, marks),
    },
    indexes,
  };
}

function showResult(message: ToolResultMessage, embeds: Embeds): ShownOnPage {
  const { role, toolCallId, toolName, isError } = message;
  const { content, indexes, unshown } = showBlocks(message.content, embeds);
  return {
    message: {
      role,
      toolCallId: shownLine(toolCallId),
      toolName: shownLine(toolName),
      content,
      isError,
      ...attributes(message, unshown),
    },
    indexes,
  };
}

function showContent(source: string | UserContent[], embeds: Embeds) {
  return typeof source === "string"
    ? { content: shownText(source), indexes: [], unshown: [] }
    : showBlocks(source, embeds);
}

function whole(message: AgentMessage): ShownOnPage {
  return { message, indexes: [] };
}

function line(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shownLine(text);
}

/** The time, the sender, and the marks of neutral values: those of the source, and of fields that the page does not show. */
function attributes(message: AgentMessage, hidden: readonly string[] = []) {
  const { timestamp, sender, ext } = message;
  const isDated = isShownTime(timestamp) && !isSynthesised(message, "/timestamp");
  const marks = [...(ext?.synthesised ?? []), ...hidden, ...(isDated ? [] : ["/timestamp"])];
  const synthesised = [...new Set(marks)];
  return {
    timestamp: isDated ? timestamp : 0,
    ...(sender === undefined ? {} : { sender: shownLine(sender) }),
    ...(synthesised.length === 0 ? {} : { ext: { synthesised } }),
  };
}
