import { isOwner, type Policy } from "../../channels/access.js";
import { idsOf } from "../../channels/person-ids.js";
import type { Choice, Inbound } from "../../channels/types.js";
import { DragomanError, wordsOf } from "../../core/error.js";
import type { FormContent } from "../../core/message/question.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { PermissionAnswer } from "../../core/types.js";
import type { Runtime } from "../../runtime/runtime.js";
import type { Reception } from "../types.js";
import { readForm } from "./form-texts.js";
import { sessionKeyOf } from "./inbox/compose.js";
import type { ShownQuestion } from "./outbox/outbox-state.js";
import { readChoice, readReply } from "./question-texts.js";
import { chatKey } from "./read-record.js";

export interface QuestionAnswersOptions {
  runtime: Runtime;
  reception: Reception;
  policy(): Promise<Policy>;
  /** The requests that chats show, by id. */
  shown(): ReadonlyMap<string, ShownQuestion>;
}

const NOT_OWNER = "Only my owner can answer this.";
const UNKNOWN = "I don't know this question any more.";
const TOO_LATE = "This was answered before, or it has expired.";
const ANSWERED = "Thanks, I've noted your answer.";

/** Lets the owner of an account answer permission requests in a chat, with a button or a reply. Other people cannot. */
export class QuestionAnswers {
  readonly #options: QuestionAnswersOptions;

  constructor(options: QuestionAnswersOptions) {
    this.#options = options;
  }

  /** A person pressed a button. A client can send any data, so the session must be that of the chat. Returns the reply. */
  async choose({ data, place, sender }: Choice): Promise<string> {
    const { policy, reception } = this.#options;
    const chosen = readChoice(data);
    if (chosen === undefined) return UNKNOWN;
    if (!isOwner(idsOf(sender), await policy())) return NOT_OWNER;
    const { session, id, answer } = chosen;
    return this.#answer({ session, id }, sessionKeyOf({ place, sender }, reception), () => ({ answer }));
  }

  /**
   * What a message that replies to a request in the chat does; undefined if it does not answer one. Resolves with a reply, or
   * undefined if the request's own message shows the outcome. Only for messages of owners.
   */
  replyTo(inbound: Inbound): (() => Promise<string | undefined>) | undefined {
    const { ReplyToId, Text = "" } = inbound.message;
    if (ReplyToId === undefined) return undefined;
    const { shown, reception } = this.#options;
    const found = [...shown()].find(
      ([, { as, place }]) => as === ReplyToId && chatKey(place) === chatKey(inbound.place),
    );
    if (found === undefined) return undefined;
    const [id, { session, isForm = false }] = found;
    const answer = readReply(Text);
    if (answer === undefined && !isForm) return undefined;
    return async () => {
      const key = sessionKeyOf(inbound, reception);
      const reply = await this.#answer({ session, id }, key, ({ question }) => {
        if (question !== undefined && isForm) return readForm(question, Text);
        return { answer: answer ?? "never" };
      });
      return reply === ANSWERED ? undefined : reply;
    };
  }

  async #answer(
    { session, id }: { session: string; id: string },
    key: string,
    read: (request: PermissionRequest) => { answer: PermissionAnswer; values?: FormContent },
  ): Promise<string> {
    const { runtime, reception } = this.#options;
    try {
      const conversation = await runtime.open(session);
      if (conversation.session.header.key !== key) return UNKNOWN;
      const request = (await conversation.permissions.pending()).find((one) => one.id === id);
      if (request === undefined) return TOO_LATE;
      const by = `${reception.channel}/${reception.account}`;
      const { answer, values = {} } = read(request);
      return (await conversation.permissions.answer(id, answer, { by, values })) ? ANSWERED : TOO_LATE;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      return error.code === "log/no-session" ? UNKNOWN : wordsOf(error);
    }
  }
}
