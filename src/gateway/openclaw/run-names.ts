import { isObject } from "../../core/json/value.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import { sentMark } from "../../runtime/sent-mark.js";

const PREFIX = "openclaw:";

/** A message is accepted once for each id that a client gives it. */
export function onceKeyOf(idempotencyKey: string): string {
  return `${PREFIX}${idempotencyKey}`;
}

/** The id that an OpenClaw client gave a message; undefined if it came from elsewhere. */
export function clientKeyOf(message: Pick<UserMessage, "ext"> & { role: "user" }): string | undefined {
  const { idempotencyKey } = sentMark({ ...message, content: "", timestamp: 0 });
  return idempotencyKey?.startsWith(PREFIX) === true ? idempotencyKey.slice(PREFIX.length) : undefined;
}

/** The runs that the protocol names after a message: one, or several if it was combined from several messages. */
export function runIdsOf(message: UserMessage): string[] {
  const collected: unknown = message.ext?.["collected"];
  const parts = Array.isArray(collected) ? collected.filter(isObject) : [message];
  const names = parts.map((part) => {
    const ext = isObject(part["ext"]) ? part["ext"] : {};
    const id = part["id"];
    return clientKeyOf({ role: "user", ext }) ?? (typeof id === "string" ? id : "");
  });
  return names.filter((name) => name !== "");
}

/**
 * Names the runs of a transcript. A run is named after the message that begins it: by the id that its client gave it, as
 * OpenClaw does. A message that arrives between the tool calls of a run belongs to that run.
 */
export class RunNames {
  #current: string | undefined;
  #isOpen = false;

  /** The run in progress, or the last one. */
  get current(): string | undefined {
    return this.#current;
  }

  /** The next message begins a run. */
  close(): void {
    this.#isOpen = false;
  }

  /** The name of the run that a message belongs to. */
  nameOf(message: AgentMessage): string | undefined {
    switch (message.role) {
      case "user":
        if (!this.#isOpen) this.#current = runIdsOf(message)[0];
        this.#isOpen = true;
        break;
      case "assistant":
        this.#isOpen = message.stopReason === "toolUse";
        break;
      case "error":
        this.#isOpen = false;
        break;
      default:
    }
    return this.#current;
  }
}
