import { noteOf } from "../../core/message/notes.js";
import { questionsIn } from "../../core/message/question-notes.js";
import type { AgentMessage } from "../../core/types.js";
import type { ConversationEvent } from "../types.js";

type QuestionEvent = Extract<ConversationEvent, { type: "permission" | "permission_end" }>;

/** Questions that another gateway stores, as events for the watchers here. Each is reported once. */
export class StoredQuestions {
  readonly #session: string;
  /** What was reported: `asked ID` or `ended ID`. */
  readonly #reported = new Set<string>();

  constructor(session: string) {
    this.#session = session;
  }

  /** An event of the conversation, also of a run in this process. */
  observe(event: ConversationEvent): void {
    if (event.type === "permission" || event.type === "permission_end") this.#reported.add(nameOf(event));
    // Its questions have ended with it.
    if (event.type === "run_start") this.#reported.clear();
  }

  /** The event of a note; undefined for other messages, and for what was reported. */
  read(message: AgentMessage): QuestionEvent | undefined {
    const event = this.#eventOf(message);
    return event === undefined || this.#reported.has(nameOf(event)) ? undefined : event;
  }

  #eventOf(message: AgentMessage): QuestionEvent | undefined {
    const note = noteOf(message);
    if (note?.type !== "dragoman/question") return undefined;
    const { data } = note;
    if (data.state === "answered") return { type: "permission_end", id: data.id, end: data.answer };
    if (data.state === "expired" || data.state === "withdrawn") {
      return { type: "permission_end", id: data.id, end: data.state };
    }
    const [asked] = questionsIn([message], this.#session);
    return asked === undefined ? undefined : { type: "permission", request: asked.request };
  }
}

function nameOf(event: QuestionEvent): string {
  return event.type === "permission" ? `asked ${event.request.id}` : `ended ${event.id}`;
}
