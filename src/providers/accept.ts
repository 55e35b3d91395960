import type { Context } from "../core/api/provider.js";
import { DragomanError } from "../core/error.js";
import { isObject, type JsonObject } from "../core/json/value.js";
import { isKnownRole } from "../core/message/roles.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { is } from "../core/validate.js";
import type { ConversationMessage } from "../dialects/clawtools/index.js";

/** A model's input, with messages from a log, from clawtools, or both. */
export interface ContextInput extends Omit<Context, "messages"> {
  messages: readonly (AgentMessage | ConversationMessage)[];
}

/**
 * The context with complete messages. Messages in the clawtools form (no times, no usage, a string or null as content) are
 * completed, and their unknown fields are reported. Messages in another format, which would lose data, are an error that
 * says how to write them.
 */
export async function acceptContext(
  context: ContextInput,
  report: (loss: Loss) => void = () => undefined,
): Promise<Context> {
  const given: readonly unknown[] = context.messages;
  if (given.length === 0) {
    throw new DragomanError("model/invalid", "the conversation has no messages", {
      at: "/messages",
      hint: 'pass at least one, such as { role: "user", content: "Hello" }',
    });
  }
  const messages: AgentMessage[] = [];
  for (const [index, message] of given.entries()) {
    messages.push(isWhole(message) ? message : await complete(message, `/messages/${index}`, report));
  }
  return { ...context, messages };
}

function isWhole(message: unknown): message is AgentMessage {
  return is("AgentMessage", message) && isOurs(message);
}

/** Whether a message is ours. Messages of other formats can have all of our fields, with the important data in others. */
export function isOurs(message: { role: string }): boolean {
  if (message.role === "assistant") return !("tool_calls" in message);
  return isKnownRole(message.role) || isCustomRole(message);
}

/** Messages with a role that a program declares have a timestamp; messages of other formats do not. */
function isCustomRole(message: { role: string; timestamp?: unknown }): boolean {
  return typeof message.timestamp === "number" && !["tool", "developer"].includes(message.role);
}

/** Loads the clawtools dialect only when a message needs it. */
async function complete(message: unknown, at: string, report: (loss: Loss) => void): Promise<AgentMessage> {
  if (!isObject(message)) throw new DragomanError("model/invalid", "a message is an object", { at });
  const { acceptMessage, unknownFields } = await import("../dialects/clawtools/accept.js");
  // Newer OpenAI models call the system role `developer`.
  const record: JsonObject = message["role"] === "developer" ? { ...message, role: "system" } : message;
  try {
    const accepted = acceptMessage(record);
    for (const pointer of unknownFields(accepted)) {
      const what = `the field "${pointer.slice(pointer.lastIndexOf("/") + 1)}"`;
      const why = "the format does not have this field, and models are not shown it";
      report({ at: `${at}${pointer}`, what, why, severity: "dropped" });
    }
    return accepted;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { code, message: why, hint, at: inside = "" } = error;
    throw new DragomanError(code, why, { at: `${at}${inside}`, hint, cause: error });
  }
}
