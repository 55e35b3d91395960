import { DragomanError } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import type { AgentMessage } from "../core/types.js";
import { is } from "../core/validate.js";

/**
 * Messages as people write them: whole ones pass, and those of a clawtools array (no times, no usage, a string or null for
 * content) are understood. The dialect that understands them is loaded only when there is one.
 */
export async function acceptMessages(messages: readonly unknown[]): Promise<readonly AgentMessage[]> {
  if (areWhole(messages)) return messages;
  const records = messages.map((message, index) => {
    if (isObject(message)) return message;
    throw new DragomanError("model/invalid", "a message is an object", { at: `/messages/${index}` });
  });
  const { clawtools } = await import("../dialects/clawtools/index.js");
  try {
    return clawtools.decode(records).map(({ message }) => message);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    throw new DragomanError(error.code, error.message, { at: `/messages${error.at ?? ""}`, cause: error });
  }
}

function areWhole(messages: readonly unknown[]): messages is readonly AgentMessage[] {
  return messages.every((message) => is("AgentMessage", message));
}
