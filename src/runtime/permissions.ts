import { isSuspended } from "../agent/suspended.js";
import { DragomanError } from "../core/error.js";
import { newId } from "../core/ids.js";
import { defined } from "../core/json/defined.js";
import type { JsonObject } from "../core/json/value.js";
import { checkedContent } from "../core/message/question.js";
import type { PermissionRequest, RecordedQuestion } from "../core/message/question-notes.js";
import type { PermissionAnswer } from "../core/types.js";
import { QuestionLog, type QuestionLogOptions } from "./question-log.js";
import { type Ended, QuestionWait } from "./question-wait.js";
import type { ConversationEvent } from "./types.js";

export interface PermissionsOptions extends QuestionLogOptions {
  /** Whether requests wait for an answer while no approver is present: other clients and processes can still answer them. */
  waits: boolean;
  /** How long a request waits for its answer. */
  expireAfterMs: number;
  emit(event: ConversationEvent): void;
  onFailure(error: unknown): void;
}

export interface AskOptions extends Pick<PermissionRequest, "toolCall" | "question"> {
  subject?: string | undefined;
  /** Whether another process can run the call after the answer (default: false). */
  isResumable?: boolean;
}

export interface AnswerOptions {
  /** The values of a question's form. */
  values?: Readonly<JsonObject>;
  /** The token, channel account or program that answers. */
  by?: string;
}

/**
 * A conversation's permission requests. The log has them, so they outlive connections and processes: any client can answer
 * them by id until they expire, whether or not it was connected when they were asked.
 *
 * @example
 * for (const { id } of await conversation.permissions.pending()) await conversation.permissions.answer(id, "once");
 */
export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #log: QuestionLog;
  /** Those that a run in this process waits for. */
  readonly #waits = new Map<string, QuestionWait>();
  /** Asked by a process that is gone, and not used by the resumed run yet. */
  #left: RecordedQuestion[] = [];
  /** The ids of resumable requests whose calls have not begun. */
  #unstarted: string[] = [];
  #approvers = 0;
  #following: AbortController | undefined;
  readonly #writes = new Set<Promise<void>>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
    this.#log = new QuestionLog(options);
  }

  /** Whether a request can be answered: an approver is present, or can come later. */
  get canAsk(): boolean {
    return this.#options.waits || this.#approvers > 0;
  }

  /** The number of requests that a run in this process waits for. */
  get waiting(): number {
    return [...this.#waits.values()].filter(({ isRecorded }) => isRecorded).length;
  }

  /** Whether calls were asked about that have not begun to run: another process can resume them. */
  get hasUnstarted(): boolean {
    return this.#unstarted.length > 0;
  }

  /** Whether the run that begins resumes calls of a dead process. */
  get isResumed(): boolean {
    return this.#left.length > 0;
  }

  /** The requests that wait for an answer, also those of another process. */
  async pending(): Promise<PermissionRequest[]> {
    if (this.#waits.size === 0) return this.#log.open();
    return [...this.#waits.values()].flatMap(({ isRecorded, request }) => (isRecorded ? request : []));
  }

  /** Adds an approver; returns a function that removes it. */
  addApprover(): () => void {
    this.#approvers++;
    return () => {
      this.#approvers--;
    };
  }

  /** Requests that a dead process asked for the calls that are about to be resumed. */
  restore(left: RecordedQuestion[]): void {
    this.#left = left;
  }

  /**
   * Asks, and waits for the end. An abort withdraws the request, unless the run is only suspended and another process can
   * resume the call. The same request of a dead process is used again, with its answer.
   */
  async request({ isResumable = false, ...asked }: AskOptions, signal: AbortSignal): Promise<Ended> {
    if (signal.aborted) return { end: "withdrawn" };
    const left = isResumable ? this.#takeLeft(asked) : undefined;
    const request = left?.request ?? this.#newRequest(asked);
    if (isResumable) this.#unstarted.push(request.id);
    if (left?.end !== undefined) {
      return { end: left.end, ...(left.values === undefined ? {} : { content: left.values }) };
    }
    const wait = new QuestionWait(request, {
      now: this.#options.now,
      onExpired: () => this.#write(this.#expire(wait)),
    });
    this.#waits.set(request.id, wait);
    if (left === undefined) await this.#record(wait, isResumable);
    wait.isRecorded = true;
    this.#options.emit({ type: "permission", request });
    this.#follow();
    wait.start();
    const leave = () => {
      if (isResumable && isSuspended(signal)) this.#close(wait, { end: "withdrawn" });
      else this.#withdraw(wait);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await wait.ended;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /**
   * Answers a request. False if there is none with this id that waits: it was answered before, or has expired. A question
   * with a form needs its values, unless it is declined; if one does not fit, this throws and the question stays open.
   */
  async answer(
    id: string,
    answer: PermissionAnswer,
    { values: given = {}, by }: AnswerOptions = {},
  ): Promise<boolean> {
    const wait = this.#waits.get(id);
    const request = (await this.pending()).find((one) => one.id === id);
    if (request === undefined) return false;
    const { question } = request;
    const content =
      question === undefined || answer === "never" ? undefined : checkedContent(question, given);
    const values = question?.asksResult === true ? content : undefined;
    const needsProcess = question !== undefined && question.fields.length > 0 && question.asksResult !== true;
    if (wait === undefined && needsProcess && answer !== "never") throw runsElsewhere(question.server);
    if (wait?.claim() === false) return false;
    try {
      const { isStored, ...stored } = await this.#log.end({
        state: "answered",
        id,
        answer,
        ...defined({ by, values }),
      });
      if (wait === undefined) this.#options.emit({ type: "permission_end", id, end: stored.end });
      else this.#finish(wait, content === undefined || !isStored ? stored : { ...stored, content });
      return isStored;
    } catch (error) {
      wait?.release();
      wait?.start();
      throw error;
    }
  }

  /** Records that the calls which were asked about begin to run or are refused. If this fails, none of them may run. */
  async recordStart(): Promise<void> {
    const ids = this.#unstarted;
    if (ids.length === 0) return;
    await this.#log.record({ state: "started", ids }, this.#options.now());
    this.#unstarted = [];
  }

  /** Withdraws what the run has not used, unless another process resumes it. Resolves when all ends of requests are stored. */
  async endRun(signal: AbortSignal): Promise<void> {
    const unused = isSuspended(signal) ? [] : this.#left.filter(({ end }) => end === undefined);
    if (unused.length > 0) this.#write(this.withdraw(unused.map(({ request }) => request.id)));
    this.#left = [];
    this.#unstarted = [];
    await Promise.all(this.#writes);
  }

  /** Withdraws requests of a dead process that are not resumed. */
  async withdraw(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#log.end({ state: "withdrawn", id });
  }

  #newRequest({ toolCall, subject, question }: AskOptions): PermissionRequest {
    const asked = this.#options.now();
    return {
      id: newId(),
      toolCall,
      ...(subject === undefined ? {} : { subject }),
      ...(question === undefined ? {} : { question }),
      asked,
      expires: asked + this.#options.expireAfterMs,
    };
  }

  async #record(wait: QuestionWait, isResumable: boolean): Promise<void> {
    const { asked, ...request } = wait.request;
    const resumable = isResumable ? { resumable: true as const } : {};
    try {
      await this.#log.record({ state: "asked", session: this.#log.session, ...request, ...resumable }, asked);
    } catch (error) {
      this.#waits.delete(request.id);
      throw error;
    }
  }

  #takeLeft({ toolCall }: AskOptions): RecordedQuestion | undefined {
    const index = this.#left.findIndex(({ request }) => request.toolCall.id === toolCall.id);
    return index < 0 ? undefined : this.#left.splice(index, 1)[0];
  }

  async #expire(wait: QuestionWait): Promise<void> {
    // The answer that is being stored decides.
    if (wait.isClaimed) return;
    const { isStored: _, ...ended } = await this.#log.end({ state: "expired", id: wait.request.id });
    this.#finish(wait, ended);
  }

  #withdraw(wait: QuestionWait): void {
    this.#finish(wait, { end: "withdrawn" });
    this.#write(this.withdraw([wait.request.id]));
  }

  /** In the background; `endRun` waits for it. */
  #write(work: Promise<void>): void {
    const done = work.catch(this.#options.onFailure).then(() => {
      this.#writes.delete(done);
    });
    this.#writes.add(done);
  }

  #finish(wait: QuestionWait, ended: Ended): void {
    if (!this.#close(wait, ended)) return;
    this.#options.emit({ type: "permission_end", id: wait.request.id, end: ended.end });
  }

  #close(wait: QuestionWait, ended: Ended): boolean {
    if (!this.#waits.delete(wait.request.id)) return false;
    wait.end(ended);
    if (this.#waits.size === 0) {
      this.#following?.abort();
      this.#following = undefined;
    }
    return true;
  }

  /** Learns of answers that other processes store, while a run waits. */
  #follow(): void {
    if (this.#following !== undefined) return;
    const following = new AbortController();
    this.#following = following;
    const onEnd = (id: string, ended: Ended) => {
      const wait = this.#waits.get(id);
      if (wait?.isRecorded === true && !wait.isClaimed) this.#finish(wait, ended);
    };
    this.#log.follow(onEnd, following.signal).catch((error: unknown) => {
      if (!following.signal.aborted) this.#options.onFailure(error);
    });
  }
}

function runsElsewhere(server: string): DragomanError {
  return new DragomanError("agent/elsewhere", `the tool of ${server} that asked runs in another process`, {
    hint: "answer the form in a client of the gateway that runs the session",
  });
}
