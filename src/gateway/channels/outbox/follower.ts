import type { Policy } from "../../../channels/access.js";
import type { Channel, Outgoing } from "../../../channels/types.js";
import type { Clock } from "../../../core/async/clock.js";
import { isSilent } from "../../../core/message/failure.js";
import { noteOf } from "../../../core/message/notes.js";
import type { AgentMessage, ReplyPayload } from "../../../core/types.js";
import type { Entry } from "../../../log/types.js";
import { MAIN } from "../../../runtime/agents.js";
import type { Conversation } from "../../../runtime/conversation.js";
import type { Runtime } from "../../../runtime/runtime.js";
import type { ConversationEvent } from "../../../runtime/types.js";
import type { Logger, Reception } from "../../types.js";
import { lostInAnswer } from "../border-losses.js";
import { type ReplyTarget, replyTargetOf } from "../inbox/compose.js";
import { emptyAnswer, payloadOf } from "./answer-payload.js";
import type { Outbox } from "./outbox.js";
import type { Followed } from "./outbox-state.js";
import { withFiles } from "./outgoing-files.js";
import { Preview, replying } from "./preview.js";
import { ShownQuestions } from "./shown-questions.js";

export interface SessionFollowerWorld {
  channel: Channel;
  reception: Reception;
  outbox: Outbox;
  world: Clock;
  logger: Logger;
  runtime: Pick<Runtime, "agents">;
  /** The current access policy. */
  policy(): Promise<Policy>;
}

/** Reads a growing session and puts the answers for this account into the outbox. */
export class SessionFollower {
  readonly conversation: Conversation;
  readonly #world: SessionFollowerWorld;
  readonly #preview: Preview;
  readonly #questions: ShownQuestions;
  #from: Followed["from"];
  #target: ReplyTarget | undefined;
  /** Whether a question has no final answer yet. */
  #open = false;
  /** Whether the model has not answered this account's question yet. */
  #awaitsModel = false;
  /** Whether something was sent in reply to the question. */
  #hasSent = false;

  constructor(conversation: Conversation, { from, asked }: Followed, world: SessionFollowerWorld) {
    this.conversation = conversation;
    this.#world = world;
    this.#from = from;
    this.#target = asked;
    const { channel, outbox } = world;
    this.#questions = new ShownQuestions({ ...world, conversation });
    this.#preview = new Preview({
      conversation,
      channel,
      outbox,
      world: world.world,
      target: () => this.#target,
    });
  }

  observe(event: ConversationEvent): void {
    this.#preview.observe(event);
  }

  /** Whether no answer is pending. */
  get settled(): boolean {
    return !this.#open && !this.conversation.busy;
  }

  /** After a restart: finds out whether the last question was answered. */
  async loadOpenQuestion(): Promise<void> {
    const [last] = await this.conversation.session.last(1, { before: this.#from });
    this.#open = this.#target !== undefined && last !== undefined && !isLast(last.message);
    this.#awaitsModel = this.#open && last?.message.role !== "assistant";
  }

  /** Accepts new entries. If `live` is the next one, the session need not be read. */
  async advance(live?: Entry): Promise<void> {
    if (live !== undefined && live.position === this.#from) return this.#acceptEntry(live);
    for await (const entry of this.conversation.session.read({ from: this.#from }))
      await this.#acceptEntry(entry);
  }

  stop(): void {
    this.#preview.stop();
  }

  async #acceptEntry({ message, position, next }: Entry): Promise<void> {
    if (position < this.#from) return;
    const { reception, outbox } = this.#world;
    if (message.role === "user") this.#setTarget(replyTargetOf(message, reception));
    const asked = this.#target;
    const session = this.conversation.session.id;
    const parts = asked === undefined ? [] : this.#parts(message, asked);
    if (asked !== undefined && parts.length > 0) {
      this.#hasSent = true;
      await outbox.add({ id: message.id ?? `${session}:${position}`, session, next, asked, parts });
    }
    const note = noteOf(message);
    if (asked !== undefined && note?.type === "dragoman/question")
      await this.#questions.accept(note.data, message.timestamp, next, asked);
    if (asked !== undefined) await this.#recordLosses(message);
    if (isLast(message)) this.#open = false;
    if (message.role === "assistant" && message.stopReason !== "toolUse") this.#awaitsModel = false;
    this.#from = next;
  }

  /** A message from elsewhere during a pending question does not change the target: this account still gets the answer. */
  #setTarget(asked: ReplyTarget | undefined): void {
    if (asked === undefined && this.#awaitsModel) return;
    this.#target = asked;
    this.#open = asked !== undefined;
    this.#awaitsModel = this.#open;
    this.#hasSent = false;
  }

  async #recordLosses(message: AgentMessage): Promise<void> {
    const { channel, reception } = this.#world;
    const losses = lostInAnswer(message, payloadOf(message)?.text ?? "", channel);
    if (losses.length > 0) await this.conversation.recordLosses("channel", reception.channel, losses);
  }

  #parts(message: AgentMessage, asked: ReplyTarget): Outgoing[] {
    const payload = payloadOf(message);
    const parts = payload === undefined ? [] : this.#partsOf(payload, message.id, asked);
    // People saw the typing indicator and expect an answer.
    const isWhole = message.role === "assistant" && message.stopReason === "stop";
    const isEmpty = parts.length === 0 && !this.#hasSent && isWhole;
    return isEmpty ? this.#partsOf(emptyAnswer, message.id, asked) : parts;
  }

  /** A client may ask an agent other than the account's; its links refer to its own files. */
  #withFiles(payload: ReplyPayload): ReplyPayload {
    const { channel, reception, runtime } = this.#world;
    const { agent = MAIN } = this.conversation.session.header;
    const other = agent === (reception.agent ?? MAIN) ? undefined : agent;
    return withFiles(payload, runtime.agents.workspaceOf(agent), channel.traits.mostSentBytes, other);
  }

  #partsOf(payload: ReplyPayload, id: string | undefined, asked: ReplyTarget): Outgoing[] {
    const { channel, logger, reception } = this.#world;
    const { mediaUrls = [], ...words } = this.#withFiles(payload);
    try {
      // The text comes first, so that it can replace the preview.
      return [
        ...(words.text === "" ? [] : channel.outgoing(replying(words, asked), asked.place)),
        ...(mediaUrls.length === 0 ? [] : channel.outgoing({ mediaUrls }, asked.place)),
      ];
    } catch (error) {
      const { channel: name, account } = reception;
      logger.error(
        { channel: name, account, message: id, err: error },
        "an answer could not be formatted for the platform",
      );
      return [];
    }
  }
}

/** Whether nothing follows it. The next process may still give an answer that was aborted before it began. */
function isLast(message: AgentMessage): boolean {
  if (message.role !== "assistant") return message.role === "error";
  return message.stopReason !== "toolUse" && !(message.stopReason === "aborted" && isSilent(message));
}
