import type { FormContent } from "../core/message/question.js";
import type { PermissionEnd, PermissionRequest } from "../core/message/question-notes.js";

/** The end of a request; `content` if the form of its question was accepted. */
export interface Ended {
  end: PermissionEnd;
  content?: FormContent;
}

export interface QuestionWaitOptions {
  now(): number;
  onExpired(): void;
}

/** The longest time that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A run that waits for the end of a request. It costs a timer that does not keep the process alive. */
export class QuestionWait {
  readonly request: PermissionRequest;
  readonly ended: Promise<Ended>;
  /** The request is in the log, so it can be answered. */
  isRecorded = false;
  readonly #options: QuestionWaitOptions;
  #resolve: (ended: Ended) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #claimed = false;

  constructor(request: PermissionRequest, options: QuestionWaitOptions) {
    this.request = request;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Whether an answer is being stored. */
  get isClaimed(): boolean {
    return this.#claimed;
  }

  /** Reserves the request for one answer; false if another answer is being stored. */
  claim(): boolean {
    if (this.#claimed) return false;
    this.#claimed = true;
    return true;
  }

  release(): void {
    this.#claimed = false;
  }

  /** Begins to count the time until the request expires. */
  start(): void {
    clearTimeout(this.#timer);
    const left = this.request.expires - this.#options.now();
    this.#timer = setTimeout(
      () => (left > MAX_TIMER_MS ? this.start() : this.#options.onExpired()),
      Math.min(Math.max(left, 0), MAX_TIMER_MS),
    ).unref();
  }

  end(ended: Ended): void {
    clearTimeout(this.#timer);
    this.#resolve(ended);
  }
}
