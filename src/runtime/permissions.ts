import type { AskPermission } from "../agent/permissions.js";
import { newId } from "../core/ids.js";
import type { ConversationEvent, PermissionAnswer, PermissionRequest } from "./types.js";

type Answer = Awaited<ReturnType<AskPermission>>;

interface Open {
  request: PermissionRequest;
  answer: (answer: Answer) => void;
}

/** For so long a question waits for somebody to come back who can be asked. */
const ABSENCE_MS = 60_000;

/** The questions of one conversation that nobody has answered yet, and whether there is somebody who could. */
export class Permissions {
  readonly #open = new Map<string, Open>();
  readonly #emit: (event: ConversationEvent) => void;
  #approvers = 0;
  #absenceTimer: NodeJS.Timeout | undefined;

  constructor(tell: (event: ConversationEvent) => void) {
    this.#emit = tell;
  }

  /** Whether somebody can be asked. */
  get hasApprover(): boolean {
    return this.#approvers > 0;
  }

  /** What waits for an answer. */
  get pending(): PermissionRequest[] {
    return [...this.#open.values()].map(({ request }) => request);
  }

  /** Somebody is there who can be asked. Returns how they leave: when all have, what they were asked is denied after a while. */
  addApprover(): () => void {
    this.#approvers++;
    clearTimeout(this.#absenceTimer);
    return () => {
      this.#approvers--;
      this.#limitWait();
    };
  }

  /** Asks whoever watches. An abort is a no. */
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

  /** False when nobody asked, or somebody else was faster. */
  answer(id: string, answer: Answer): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    const told: PermissionAnswer = answer === "nobody" ? "never" : answer;
    this.#emit({ type: "permission_end", id, answer: told });
    open.answer(answer);
    return true;
  }

  /** Not for ever. */
  #limitWait(): void {
    if (this.hasApprover || this.#open.size === 0) return;
    clearTimeout(this.#absenceTimer);
    this.#absenceTimer = setTimeout(() => {
      for (const id of [...this.#open.keys()]) this.answer(id, "nobody");
    }, ABSENCE_MS).unref();
  }
}
