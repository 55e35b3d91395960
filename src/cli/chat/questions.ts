import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { PermissionAnswer } from "../../core/types.js";
import type { Paint } from "../terminal/colour.js";
import { Form } from "./form.js";
import { KEY } from "./keys.js";
import { proposedChange } from "./proposed-change.js";
import { answerOf, CHOICES, CHOICES_WITH_ENTER, questionLines } from "./question.js";

export interface QuestionsOptions {
  paint: Paint;
  show(lines: readonly string[]): void;
  workspace(): Promise<string>;
  /** Whether the request still waited for an answer. */
  answer(id: string, answer: PermissionAnswer, values: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** The first question appears, or the last one is gone. */
  onOpen(): void;
  onClose(): void;
  onError(error: unknown): void;
  now?: () => number;
}

/** Who typed within this time before a question may have meant the key for their message. */
const TYPING_MS = 1_000;

/** The questions that wait for the user, answered one after the other, each with one key. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #now: () => number;
  #pending: PermissionRequest[] = [];
  /** The form of the current question, if an MCP server asks it. */
  #form: Form | undefined;
  #needsEnter = false;
  #isShown = false;
  #isWrong = false;
  #lastKey = Number.NEGATIVE_INFINITY;

  constructor(options: QuestionsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get isOpen(): boolean {
    return this.#pending.length > 0;
  }

  get hint(): string {
    if (this.#form !== undefined) return this.#form.hint;
    if (!this.#isShown) return "…";
    const choices = this.#needsEnter ? CHOICES_WITH_ENTER : CHOICES;
    return this.#isWrong ? `answer y, a or n: ${choices}` : choices;
  }

  add(request: PermissionRequest): void {
    if (this.#pending.some(({ id }) => id === request.id)) return;
    this.#pending.push(request);
    if (this.#pending.length > 1) return;
    this.#needsEnter = this.#now() - this.#lastKey < TYPING_MS;
    this.#options.onOpen();
    this.#ask(request);
  }

  end(id: string): void {
    const [current] = this.#pending;
    this.#pending = this.#pending.filter((question) => question.id !== id);
    const [next] = this.#pending;
    if (next === undefined) this.#options.onClose();
    else if (next !== current) this.#ask(next);
  }

  /** Whether the key answers the question, or is not part of any answer. */
  intercept(key: string): boolean {
    const [current] = this.#pending;
    // Enter ends what was typed.
    if (current === undefined) this.#lastKey = key === KEY.enter ? Number.NEGATIVE_INFINITY : this.#now();
    if (
      current === undefined ||
      this.#form !== undefined ||
      this.#needsEnter ||
      !/^(?:\P{Cc}|\r)$/u.test(key)
    ) {
      return false;
    }
    // The rest of a word that is not an answer is not an answer either.
    const isTyping = this.#isWrong && this.#now() - this.#lastKey < TYPING_MS;
    this.#lastKey = key === KEY.enter ? Number.NEGATIVE_INFINITY : this.#now();
    if (this.#isShown && key !== KEY.enter && !isTyping) this.#answer(current.id, key);
    return true;
  }

  /** A line that was typed while a question is open. */
  submit(typed: string): void {
    const [current] = this.#pending;
    if (current === undefined) return;
    if (this.#form === undefined) {
      this.#answer(current.id, typed);
      return;
    }
    const step = this.#form.accept(typed);
    if ("lines" in step) this.#options.show(step.lines);
    else this.#send(current.id, step.answer, step.values);
  }

  #answer(id: string, typed: string): void {
    const answer = answerOf(typed);
    this.#isWrong = answer === undefined;
    if (answer === undefined) return;
    // The key of an answer does not belong to a message, so the next question also takes one key.
    this.#lastKey = Number.NEGATIVE_INFINITY;
    this.#send(id, answer, {});
  }

  #send(id: string, answer: PermissionAnswer, values: Readonly<Record<string, unknown>>): void {
    const { show, onError } = this.#options;
    this.#options
      .answer(id, answer, values)
      .then((isAnswered) => {
        if (isAnswered) return;
        this.end(id);
        show(["This request was answered elsewhere, or it has expired."]);
      })
      .catch(onError);
  }

  #ask(request: PermissionRequest): void {
    const { paint, show, onError } = this.#options;
    this.#isShown = false;
    this.#isWrong = false;
    this.#form = request.question === undefined ? undefined : new Form(request.question, paint);
    if (this.#form !== undefined) {
      show(this.#form.lines);
      return;
    }
    const ask = (diff?: string) => {
      if (this.#pending[0] !== request) return;
      show(questionLines(request, paint, diff));
      this.#isShown = true;
    };
    this.#options
      .workspace()
      .then((folder) => proposedChange(request.toolCall, folder))
      .then(ask, (error: unknown) => {
        onError(error);
        ask();
      });
  }
}
