import { defined } from "../../core/json/defined.js";
import type { JsonObject } from "../../core/json/value.js";
import { failureIn, isSilent } from "../../core/message/failure.js";
import type { AgentMessage } from "../../core/types.js";
import { clientKeyOf, RunNames } from "./run-names.js";

/** A message as clients are shown it. */
export interface Shown {
  message: JsonObject;
  id: string | undefined;
  /** Its number among the messages that are shown, from 1. */
  seq: number;
}

/** Writes the messages of a transcript for clients, in order. Notes and other lines of our own are left out. */
export class Display {
  readonly names: RunNames;
  #count = 0;

  constructor(names = new RunNames()) {
    this.names = names;
  }

  /** How many messages were shown. */
  get count(): number {
    return this.#count;
  }

  /** Undefined if the message is not shown. */
  show(message: AgentMessage): Shown | undefined {
    const runId = this.names.nameOf(message);
    const fields = fieldsOf(message);
    if (fields === undefined) return undefined;
    const seq = ++this.#count;
    const { id, timestamp } = message;
    const isPrompt = message.role === "user";
    const key = isPrompt ? clientKeyOf(message) : undefined;
    const idempotencyKey = key === undefined ? undefined : `${key}:user`;
    const envelope = defined({ id, seq, runId: isPrompt ? undefined : runId, idempotencyKey });
    return {
      message: { ...fields, ...defined({ timestamp, idempotencyKey }), __openclaw: envelope },
      id,
      seq,
    };
  }
}

/** All messages that are shown. */
export function shownMessages(messages: readonly AgentMessage[]): Shown[] {
  const display = new Display();
  return messages.flatMap((message) => display.show(message) ?? []);
}

/** What `ext` has is for this gateway, and is not sent. */
function fieldsOf(message: AgentMessage): JsonObject | undefined {
  switch (message.role) {
    case "user": {
      const { role, content } = message;
      return { role, content };
    }
    case "assistant": {
      if (isSilent(message) && message.errorMessage === undefined) return undefined;
      const { role, content, api, provider, model, usage, stopReason, errorMessage } = message;
      return defined({ role, content, api, provider, model, usage, stopReason, errorMessage });
    }
    case "toolResult": {
      const { role, toolCallId, toolName, content, isError, details } = message;
      return defined({ role, toolCallId, toolName, content, isError, details });
    }
    case "error": {
      const errorMessage = failureIn(message)?.message;
      const content = [{ type: "text", text: errorMessage }];
      return defined({ role: "assistant", content, stopReason: "error", errorMessage });
    }
    default:
      return undefined;
  }
}
