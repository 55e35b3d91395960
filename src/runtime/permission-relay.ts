import type { PermissionRequest } from "../core/message/question-notes.js";
import type { Permissions } from "./permissions.js";

/** Asks a sub-agent's permission requests in the session that started it. An answer in either session ends both requests. */
export class PermissionRelay {
  readonly #child: Permissions;
  readonly #parent: Permissions;
  readonly #signal: AbortSignal;
  readonly #open = new Map<string, AbortController>();

  constructor(child: Permissions, parent: Permissions, signal: AbortSignal) {
    this.#child = child;
    this.#parent = parent;
    this.#signal = signal;
  }

  async ask({ id, toolCall, subject, question }: PermissionRequest): Promise<void> {
    const ended = new AbortController();
    this.#open.set(id, ended);
    const { end, content } = await this.#parent.request(
      {
        toolCall,
        ...(subject === undefined ? {} : { subject }),
        ...(question === undefined ? {} : { question }),
      },
      AbortSignal.any([this.#signal, ended.signal]),
    );
    if (end !== "expired" && end !== "withdrawn")
      await this.#child.answer(id, end, content === undefined ? {} : { values: content });
  }

  /** The request was ended in the sub-agent's own session. */
  end(id: string): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}
