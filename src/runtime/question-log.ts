import { noteOf } from "../core/message/notes.js";
import type { FormContent } from "../core/message/question.js";
import {
  openRequests,
  type PermissionRequest,
  questionMessage,
  questionsIn,
  type RecordedQuestion,
} from "../core/message/question-notes.js";
import type { CustomMessage, QuestionNote } from "../core/types.js";
import { sinceLastAnswer } from "../log/recover.js";
import type { SessionLog } from "../log/types.js";
import type { Ended } from "./question-wait.js";

type EndNote = Extract<QuestionNote, { state: "answered" | "expired" | "withdrawn" }>;

/** The end of a request that counts; `isStored`: it is the one that was given. */
interface StoredEnd extends Ended {
  isStored: boolean;
}

export interface QuestionLogOptions {
  session: SessionLog;
  /** Appends a note under the lease of the run. */
  append(note: CustomMessage): Promise<void>;
  now(): number;
}

/** A session's permission requests in its log, which is what counts: any process can answer them, and a restart keeps them. */
export class QuestionLog {
  readonly #options: QuestionLogOptions;

  constructor(options: QuestionLogOptions) {
    this.#options = options;
  }

  get session(): string {
    return this.#options.session.id;
  }

  /** The requests of the last answer's calls. The cost does not depend on the session's size. */
  async read(): Promise<RecordedQuestion[]> {
    const { session } = this.#options;
    return questionsIn(await sinceLastAnswer(session), session.id);
  }

  async open(): Promise<PermissionRequest[]> {
    return openRequests(await this.read(), this.#options.now());
  }

  /** Only for the holder of the session's lease. */
  async record(note: Extract<QuestionNote, { state: "asked" | "started" }>, at: number): Promise<void> {
    await this.#options.append(questionMessage(note, at));
  }

  /** Ends a request, in any process. Of several ends one is stored, and counts. */
  async end(note: EndNote): Promise<StoredEnd> {
    const { session, now } = this.#options;
    const line = questionMessage(note, now());
    const given = note.state === "answered" ? note.answer : note.state;
    const { before } = await session.append([line], { once: true });
    if (before === undefined) return { end: given, isStored: true };
    const known = (await this.read()).find(({ request }) => request.id === note.id);
    if (known?.end !== undefined) return { end: known.end, isStored: false, ...valuesOf(known) };
    // A client has used the key of this line for a message.
    await session.append([line]);
    return { end: given, isStored: true };
  }

  /** Calls back for every end of a request that is stored from now on, by any process, until the signal aborts. */
  async follow(onEnd: (id: string, ended: Ended) => void, signal: AbortSignal): Promise<void> {
    const { session } = this.#options;
    const from = await session.end();
    for (const known of await this.read()) {
      if (known.end !== undefined) onEnd(known.request.id, { end: known.end, ...valuesOf(known) });
    }
    for await (const { message } of session.tail({ from, signal })) {
      const note = noteOf(message);
      if (note?.type !== "dragoman/question") continue;
      const { data } = note;
      if (data.state === "answered") onEnd(data.id, { end: data.answer, ...valuesOf(data) });
      else if (data.state === "expired" || data.state === "withdrawn") onEnd(data.id, { end: data.state });
    }
  }
}

function valuesOf({ values }: { values?: FormContent }): Pick<Ended, "content"> {
  return values === undefined ? {} : { content: values };
}
