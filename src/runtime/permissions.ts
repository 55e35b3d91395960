import type { AskPermission } from "../agent/permissions.js";
import { newId } from "../core/ids.js";
import type { ConversationEvent, PermissionRequest } from "./types.js";

type Answer = Awaited<ReturnType<AskPermission>>;

interface Open {
  request: PermissionRequest;
  answer: (answer: Answer) => void;
}

/** How long a request waits for an approver to come back. */
const ABSENCE_MS = 60_000;

/** A conversation's pending permission requests, and whether an approver is present. */
export class Permissions {
  readonly #open = new Map<string, Open>();
  readonly #emit: (event: ConversationEvent) => void;
  #approvers = 0;
  #absenceTimer: NodeJS.Timeout | undefined;

  constructor(emit: (event: ConversationEvent) => void) {
    this.#emit = emit;
  }

  /** Whether an approver is present. */
  get hasApprover(): boolean {
    return this.#approvers > 0;
  }

  /** Requests without an answer. */
  get pending(): PermissionRequest[] {
    return [...this.#open.values()].map(({ request }) => request);
  }

  /** Adds an approver; returns a function that removes it. Once all have left, pending requests are denied after a while. */
  addApprover(): () => void {
    this.#approvers++;
    clearTimeout(this.#absenceTimer);
    return () => {
      this.#approvers--;
      this.#limitWait();
    };
  }

  /** Asks the approvers. An abort is a denial. */
  ask = (
    { call, subject }: Omit<Parameters<AskPermission>[0], "tool">,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const request = { id: newId(), toolCall: call, ...(subject === undefined ? {} : { subject }) };
    return new Promise((resolve) => {
      const refuse = () => this.answer(request.id, "never");
      const answer = (given: Answer) => {
        signal.removeEventListener("abort", refuse);
        resolve(given);
      };
      this.#open.set(request.id, { request, answer });
      signal.addEventListener("abort", refuse, { once: true });
      this.#emit({ type: "permission", request });
      this.#limitWait();
      if (signal.aborted) refuse();
    });
  };

  /** False when there is no such request, or it was already answered. */
  answer(id: string, answer: Answer): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    this.#emit({ type: "permission_end", id, answer: answer === "nobody" ? "never" : answer });
    open.answer(answer);
    return true;
  }

  /** Denies pending requests if no approver comes back in time. */
  #limitWait(): void {
    if (this.hasApprover || this.#open.size === 0) return;
    clearTimeout(this.#absenceTimer);
    this.#absenceTimer = setTimeout(() => {
      for (const id of [...this.#open.keys()]) this.answer(id, "nobody");
    }, ABSENCE_MS).unref();
  }
}
