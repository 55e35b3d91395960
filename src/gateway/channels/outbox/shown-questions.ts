import { isOwner, type Policy } from "../../../channels/access.js";
import type { Channel, Outgoing } from "../../../channels/types.js";
import type { PermissionRequest } from "../../../core/message/question-notes.js";
import type { QuestionNote } from "../../../core/types.js";
import { peerOf } from "../../../log/key.js";
import type { Conversation } from "../../../runtime/conversation.js";
import type { Reception } from "../../types.js";
import { hasForm } from "../form-texts.js";
import type { ReplyTarget } from "../inbox/compose.js";
import { askedText, choicesFor, endedText, OWNER_IS_ASKED } from "../question-texts.js";
import type { Outbox } from "./outbox.js";
import { replying } from "./preview.js";

export interface ShownQuestionsOptions {
  conversation: Conversation;
  channel: Channel;
  reception: Reception;
  outbox: Outbox;
  policy(): Promise<Policy>;
}

/** Shows a session's permission requests in its chat, and edits them when they end. */
export class ShownQuestions {
  readonly #options: ShownQuestionsOptions;
  /** Those that this process has seen asked. */
  readonly #asked = new Map<string, PermissionRequest>();

  constructor(options: ShownQuestionsOptions) {
    this.#options = options;
  }

  /** Accepts a note of the log. `next`: the position after it. */
  async accept(note: QuestionNote, timestamp: number, next: number, asked: ReplyTarget): Promise<void> {
    const { outbox, conversation } = this.#options;
    const session = conversation.session.id;
    if (note.state === "started") return;
    if (note.state === "asked") {
      if (note.session !== session) return;
      const { state: _, session: _session, resumable: _resumable, ...rest } = note;
      const request = { ...rest, asked: timestamp };
      this.#asked.set(request.id, request);
      const parts = await this.#askedParts(request, asked);
      const question = { question: note.id, ...(hasForm(request) ? { isForm: true as const } : {}) };
      await outbox.add({ id: `question:${note.id}`, session, next, asked, parts, ...question });
      return;
    }
    if (!outbox.state.has(`question:${note.id}`)) return;
    const request = this.#asked.get(note.id);
    this.#asked.delete(note.id);
    if (!(await this.#isOwnersChat(asked))) return;
    const text = endedText(request, note.state === "answered" ? note.answer : note.state);
    const parts = this.#options.channel.outgoing(replying({ text }, asked), asked.place);
    await outbox.add({ id: `question-end:${note.id}`, session, next, asked, parts, replaces: note.id });
  }

  async #askedParts(request: PermissionRequest, asked: ReplyTarget): Promise<Outgoing[]> {
    const { channel, conversation } = this.#options;
    const render = (text: string) => channel.outgoing(replying({ text }, asked), asked.place);
    if (!(await this.#isOwnersChat(asked))) return render(OWNER_IS_ASKED);
    const choices =
      channel.withButtons === undefined ? undefined : choicesFor(conversation.session.id, request);
    const parts = render(askedText(request, { hasButtons: choices !== undefined }));
    const last = parts.pop();
    if (last === undefined) return [];
    return [...parts, choices === undefined ? last : (channel.withButtons?.(last, choices) ?? last)];
  }

  /** Whether the owner reads the chat: a direct chat of another person shows no details of a call. */
  async #isOwnersChat({ place }: ReplyTarget): Promise<boolean> {
    if (place.kind !== "direct") return true;
    const { conversation, reception, policy } = this.#options;
    const { channel, identities = {} } = reception;
    const peer = peerOf(conversation.session.header.key ?? "");
    if (peer === undefined) return false;
    const ids =
      peer.channel === "person"
        ? (identities[peer.peer] ?? []).flatMap((id) =>
            id.startsWith(`${channel}:`) ? id.slice(channel.length + 1) : [],
          )
        : [peer.peer];
    return isOwner(ids, await policy());
  }
}
