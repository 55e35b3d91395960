import type { Channel, Chat } from "../../../channels/types.js";
import type { Clock } from "../../../core/async/clock.js";
import { closeSpoiler } from "../../../markdown/index.js";
import type { Conversation } from "../../../runtime/conversation.js";
import type { ConversationEvent } from "../../../runtime/types.js";
import type { ReplyTarget } from "../inbox/compose.js";
import { visibleText } from "./answer-payload.js";
import type { Outbox } from "./outbox.js";

/** Faster answers need no typing indicator. */
const TYPING_AFTER_MS = 500;

export interface PreviewOptions {
  conversation: Conversation;
  channel: Channel;
  outbox: Pick<Outbox, "canPreview" | "preview" | "typing">;
  world: Pick<Clock, "after">;
  /** Where the answer goes; undefined if this account expects none. */
  target(): ReplyTarget | undefined;
}

/** Shows a typing indicator and the growing answer, as often as the platform allows. */
export class Preview {
  readonly #options: PreviewOptions;
  /** The last shown version, to skip unchanged edits. */
  #shown = "";
  #failed = false;
  #cancelEdit: (() => void) | undefined;
  #cancelTyping: (() => void) | undefined;

  constructor(options: PreviewOptions) {
    this.#options = options;
    if (options.conversation.live.running) this.#beginTyping(0);
  }

  observe(event: ConversationEvent): void {
    if (event.type === "run_start") this.#beginTyping(TYPING_AFTER_MS);
    if (event.type === "run_end") this.stop();
    // Nothing is being written while the owner is asked.
    if (event.type === "permission") this.#endTyping();
    if (event.type === "permission_end") this.#beginTyping(TYPING_AFTER_MS);
    if (event.type !== "agent") return;
    if (event.event.type === "message_update") this.#planEdit();
    if (event.event.type === "message_end") this.#forget();
  }

  stop(): void {
    this.#endTyping();
    this.#forget();
  }

  #endTyping(): void {
    this.#cancelTyping?.();
    this.#cancelTyping = undefined;
  }

  #forget(): void {
    this.#cancelEdit?.();
    this.#cancelEdit = undefined;
    this.#shown = "";
    this.#failed = false;
  }

  #planEdit(): void {
    const { channel, outbox, world, target: asked } = this.#options;
    const { editEveryMs, groupEditEveryMs } = channel.traits;
    if (this.#cancelEdit !== undefined || this.#failed || editEveryMs === undefined || !outbox.canPreview)
      return;
    const pauseMs = asked()?.place.kind === "direct" ? editEveryMs : (groupEditEveryMs ?? editEveryMs);
    this.#cancelEdit = world.after(pauseMs, () => {
      this.#cancelEdit = undefined;
      this.#edit().catch(() => {
        // If it cannot be formatted, the follower reports that for the whole answer.
        this.#failed = true;
      });
    });
  }

  async #edit(): Promise<void> {
    const { conversation, channel, outbox, target: asked } = this.#options;
    const to = asked();
    const { answer } = conversation.live;
    if (to === undefined || answer === undefined) return;
    const text = closeSpoiler(visibleText(answer));
    const [first] = text === "" ? [] : channel.outgoing(replying({ text }, to), to.place);
    if (first === undefined || JSON.stringify(first.native) === this.#shown) return;
    const outcome = await outbox.preview(conversation.session.id, to.place, first);
    // The answer may be finished by now, and another one started.
    if (conversation.live.answer !== answer) return;
    if (outcome === "shown") this.#shown = JSON.stringify(first.native);
    if (outcome === "busy") this.#planEdit();
    // The outcome is unknown: another preview could be a duplicate.
    if (outcome === "failed") this.#failed = true;
  }

  #beginTyping(afterMs: number): void {
    const { typingMs } = this.#options.channel.traits;
    if (typingMs === undefined || this.#cancelTyping !== undefined) return;
    this.#cancelTyping = this.#options.world.after(afterMs, () => {
      const place: Chat | undefined = this.#options.target()?.place;
      if (place !== undefined) void this.#options.outbox.typing(place);
      this.#cancelTyping = undefined;
      this.#beginTyping(typingMs);
    });
  }
}

/** In a group, an answer is a reply. */
export function replying<P extends object>(payload: P, { replyTo }: ReplyTarget): P & { replyToId?: string } {
  return replyTo === undefined ? payload : { ...payload, replyToId: replyTo };
}
