import type { WatchEvent } from "../../client/watch.js";
import { newId } from "../../core/ids.js";
import type { StopReason as AnswerStop, UserContent } from "../../core/types.js";
import type { StopReason } from "../agent-messages.js";
import { CODES } from "../codes.js";
import { RequestError } from "../peer.js";

type RunEnd = Extract<WatchEvent, { type: "run_end" }>;

interface Prompt {
  content: UserContent[];
  /** Marks its message in the log. */
  key: string;
  /** `waiting` for the prompts before it; `sent` to the session; `accepted` by a run, or by another process. */
  state: "waiting" | "sent" | "accepted";
  cancelled: boolean;
  resolve(reason: StopReason): void;
  reject(error: unknown): void;
}

export interface PromptsOptions {
  /** Called before each `send`. */
  prepare(): Promise<unknown>;
  /** Fulfilled when the message is stored. */
  send(content: UserContent[], key: string): Promise<unknown>;
  /** Stops the run in progress, if any. */
  abort(): void;
}

/**
 * A client's prompts in one session. They are sent one after another: a prompt that waits here can still be cancelled without
 * a trace, which a stored message cannot. Each ends with the run that answers it.
 */
export class Prompts {
  readonly #options: PromptsOptions;
  #prompts: Prompt[] = [];
  #lastStop: AnswerStop | undefined;
  #errorCode: string | undefined;
  /** Whether the run in progress has accepted a message of a user. */
  #runAccepted = false;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  add(content: UserContent[]): Promise<StopReason> {
    return new Promise((resolve, reject) => {
      this.#prompts.push({ content, key: newId(), state: "waiting", cancelled: false, resolve, reject });
      this.#sendNext();
    });
  }

  cancel(): void {
    const [first] = this.#prompts;
    for (const prompt of [...this.#prompts]) {
      prompt.cancelled = true;
      if (prompt !== first) this.#end(prompt, { reason: "cancelled" });
    }
    this.#options.abort();
  }

  /** Ends all prompts as cancelled, without waiting for the run to stop. */
  close(): void {
    if (this.#prompts.length === 0) return;
    this.cancel();
    for (const prompt of [...this.#prompts]) this.#end(prompt, { reason: "cancelled" });
  }

  /** All prompts fail. */
  fail(error: unknown): void {
    for (const prompt of [...this.#prompts]) this.#end(prompt, { error });
  }

  /** A message of a user was stored. Returns whether it is one of these prompts. */
  accept(key: string | undefined, inRun: boolean): boolean {
    const [current] = this.#prompts;
    this.#runAccepted ||= inRun;
    const isOwn = key !== undefined && current?.key === key;
    // A message that follows a complete answer begins the next turn of the same run.
    if (
      !isOwn &&
      current?.state === "accepted" &&
      this.#lastStop !== undefined &&
      this.#lastStop !== "toolUse"
    ) {
      this.#end(current, { reason: reasonOf(this.#lastStop) });
    }
    if (!isOwn) return false;
    current.state = "accepted";
    this.#lastStop = undefined;
    this.#errorCode = undefined;
    // The run had not begun when the client cancelled.
    if (current.cancelled) this.#options.abort();
    return true;
  }

  /** An answer was stored. Without a run in this process, another process has run the session, and this is all we learn. */
  answered(stop: AnswerStop, inRun: boolean): void {
    this.#lastStop = stop;
    const [current] = this.#prompts;
    if (inRun || current?.state !== "accepted" || stop === "toolUse") return;
    this.#end(
      current,
      stop === "error" ? { error: failed("the answer failed") } : { reason: reasonOf(stop) },
    );
  }

  /** An answer of the run in progress failed. */
  answerFailed(code: string | undefined): void {
    this.#errorCode = code;
  }

  runStarted(): void {
    this.#runAccepted = false;
  }

  /** Returns whether the run answered one of these prompts. */
  runEnded({ outcome, error }: RunEnd): boolean {
    const [current] = this.#prompts;
    // A run that fails before it reads a message leaves its messages unanswered.
    const isRefused = outcome === "error" && !this.#runAccepted && current?.state === "sent";
    if (current === undefined || (current.state !== "accepted" && !isRefused)) return false;
    if (current.cancelled || outcome === "aborted") this.#end(current, { reason: "cancelled" });
    else if (outcome === "done") this.#end(current, { reason: reasonOf(this.#lastStop) });
    else if (this.#errorCode === "agent/max-turns") this.#end(current, { reason: "max_turn_requests" });
    else if (outcome === "error") this.#end(current, { error: failed(error ?? "the answer failed") });
    else this.#end(current, { error: failed(INTERRUPTED) });
    return true;
  }

  #sendNext(): void {
    const [next] = this.#prompts;
    if (next?.state !== "waiting") return;
    next.state = "sent";
    this.#send(next).catch((error: unknown) => this.#end(next, { error }));
  }

  async #send(prompt: Prompt): Promise<void> {
    const { prepare, send, abort } = this.#options;
    await prepare();
    if (prompt.cancelled) {
      this.#end(prompt, { reason: "cancelled" });
      return;
    }
    await send(prompt.content, prompt.key);
    // The cancellation may have come before there was a run to stop.
    if (prompt.cancelled) abort();
  }

  #end(prompt: Prompt, outcome: { reason: StopReason } | { error: unknown }): void {
    if (!this.#prompts.includes(prompt)) return;
    this.#prompts = this.#prompts.filter((other) => other !== prompt);
    if ("reason" in outcome) prompt.resolve(outcome.reason);
    else prompt.reject(outcome.error);
    this.#sendNext();
  }
}

const INTERRUPTED =
  "the gateway stopped while the agent was answering; the session has the part that was stored";

function failed(message: string): RequestError {
  return new RequestError(CODES.internal, message);
}

function reasonOf(stop: AnswerStop | undefined): StopReason {
  if (stop === "length") return "max_tokens";
  return stop === "aborted" ? "cancelled" : "end_turn";
}
