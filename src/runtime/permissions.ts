import type { AskPermission } from "../agent/permissions.js";
import { newId } from "../core/ids.js";
import type { JsonObject } from "../core/json/value.js";
import type { ToolCall } from "../core/types.js";
import { checkedContent, type FormContent, type Question } from "./question.js";
import type { ConversationEvent, PermissionRequest } from "./types.js";

type Answer = Awaited<ReturnType<AskPermission>>;

/** The answer to a question; `content` if its form was accepted. */
interface Answered {
  answer: Answer;
  content?: FormContent;
}

interface Open {
  request: PermissionRequest;
  answer: (answered: Answered) => void;
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
  ask = async (
    { call, subject }: Omit<Parameters<AskPermission>[0], "tool">,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const { answer } = await this.#request(
      { toolCall: call, ...(subject === undefined ? {} : { subject }) },
      signal,
    );
    return answer;
  };

  /** Asks the approvers a question of the server that a tool call runs on. */
  askQuestion(
    { call, question }: { call: ToolCall; question: Question },
    signal: AbortSignal,
  ): Promise<Answered> {
    return this.#request({ toolCall: call, question }, signal);
  }

  #request(asked: Omit<PermissionRequest, "id">, signal: AbortSignal): Promise<Answered> {
    const request = { id: newId(), ...asked };
    return new Promise((resolve) => {
      const refuse = () => this.answer(request.id, "never");
      const answer = (given: Answered) => {
        signal.removeEventListener("abort", refuse);
        resolve(given);
      };
      this.#open.set(request.id, { request, answer });
      signal.addEventListener("abort", refuse, { once: true });
      this.#emit({ type: "permission", request });
      this.#limitWait();
      if (signal.aborted) refuse();
    });
  }

  /**
   * False when there is no such request, or it was already answered. A question with a form needs its values, unless it is
   * declined; if one does not fit, this throws and the question stays open.
   */
  answer(id: string, answer: Answer, values: Readonly<JsonObject> = {}): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    const { question } = open.request;
    const isAccepted = answer === "once" || answer === "session";
    const content =
      question === undefined || !isAccepted ? {} : { content: checkedContent(question, values) };
    this.#open.delete(id);
    this.#emit({ type: "permission_end", id, answer: answer === "nobody" ? "never" : answer });
    open.answer({ answer, ...content });
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
