import type { AskPermission } from "../agent/permissions.js";
import { newId } from "../core/ids.js";
import type { ConversationEvent, PermissionAnswer, PermissionRequest } from "./types.js";

/** The questions of one conversation that nobody has answered yet. */
export class Permissions {
  readonly #open = new Map<
    string,
    { request: PermissionRequest; answer: (answer: PermissionAnswer) => void }
  >();
  readonly #tell: (event: ConversationEvent) => void;

  constructor(tell: (event: ConversationEvent) => void) {
    this.#tell = tell;
  }

  /** What waits for an answer. */
  get pending(): PermissionRequest[] {
    return [...this.#open.values()].map(({ request }) => request);
  }

  /** Asks whoever watches. An abort is a no. */
  ask = (
    { call, subject }: Omit<Parameters<AskPermission>[0], "tool">,
    signal: AbortSignal,
  ): Promise<PermissionAnswer> => {
    const request = { id: newId(), toolCall: call, ...(subject === undefined ? {} : { subject }) };
    return new Promise((resolve) => {
      const refuse = () => this.answer(request.id, "never");
      const answer = (given: PermissionAnswer) => {
        signal.removeEventListener("abort", refuse);
        resolve(given);
      };
      this.#open.set(request.id, { request, answer });
      signal.addEventListener("abort", refuse, { once: true });
      this.#tell({ type: "permission", request });
      if (signal.aborted) refuse();
    });
  };

  /** False when nobody asked, or somebody else was faster. */
  answer(id: string, answer: PermissionAnswer): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    this.#tell({ type: "permission_end", id, answer });
    open.answer(answer);
    return true;
  }
}
