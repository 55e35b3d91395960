import type { Channel, Outgoing } from "../../../channels/types.js";
import type { Clock } from "../../../core/async/clock.js";
import { isSilent } from "../../../core/message/failure.js";
import type { AgentMessage, ReplyPayload } from "../../../core/types.js";
import type { Entry } from "../../../log/types.js";
import { MAIN } from "../../../runtime/agents.js";
import type { Conversation } from "../../../runtime/conversation.js";
import type { Runtime } from "../../../runtime/runtime.js";
import type { ConversationEvent } from "../../../runtime/types.js";
import type { Logger, Reception } from "../../types.js";
import { lostInAnswer } from "../border-losses.js";
import { type Asked, askedBy } from "../inbox/compose.js";
import { emptyAnswer, payloadOf } from "./answer-payload.js";
import type { Outbox } from "./outbox.js";
import type { Followed } from "./outbox-state.js";
import { withFiles } from "./outgoing-files.js";
import { Preview, replying } from "./preview.js";

export interface FollowerWorld {
  channel: Channel;
  reception: Reception;
  outbox: Outbox;
  world: Clock;
  notes: Logger;
  runtime: Pick<Runtime, "agents">;
}

/** Reads a session as it grows, and puts the answers that are for this account into the outbox. */
export class Follower {
  readonly conversation: Conversation;
  readonly #world: FollowerWorld;
  readonly #preview: Preview;
  #from: Followed["from"];
  #asked: Asked | undefined;
  /** Whether something that was asked has no answer yet. */
  #open = false;
  /** Whether the model has not answered yet what was asked here. */
  #waits = false;
  /** Whether something was sent to whoever asked. */
  #hasSent = false;

  constructor(conversation: Conversation, { from, asked }: Followed, world: FollowerWorld) {
    this.conversation = conversation;
    this.#world = world;
    this.#from = from;
    this.#asked = asked;
    const { channel, outbox } = world;
    this.#preview = new Preview({
      conversation,
      channel,
      outbox,
      world: world.world,
      asked: () => this.#asked,
    });
  }

  observe(event: ConversationEvent): void {
    this.#preview.see(event);
  }

  /** Whether nobody waits for anything. */
  get settled(): boolean {
    return !this.#open && !this.conversation.busy;
  }

  /** After a restart: whether what it was asked before has its answer. */
  async look(): Promise<void> {
    const [last] = await this.conversation.session.last(1, { before: this.#from });
    this.#open = this.#asked !== undefined && last !== undefined && !isLast(last.message);
    this.#waits = this.#open && last?.message.role !== "assistant";
  }

  /** Takes what is stored and was not taken yet. With `told`, which may be all of it, the session need not be read. */
  async advance(told?: Entry): Promise<void> {
    if (told !== undefined && told.position === this.#from) return this.#take(told);
    for await (const entry of this.conversation.session.read({ from: this.#from })) await this.#take(entry);
  }

  stop(): void {
    this.#preview.stop();
  }

  async #take({ message, position, next }: Entry): Promise<void> {
    if (position < this.#from) return;
    const { reception, outbox } = this.#world;
    if (message.role === "user") this.#ask(askedBy(message, reception));
    const asked = this.#asked;
    const session = this.conversation.session.id;
    const parts = asked === undefined ? [] : this.#parts(message, asked);
    if (asked !== undefined && parts.length > 0) {
      this.#hasSent = true;
      await outbox.add({ id: message.id ?? `${session}:${position}`, session, next, asked, parts });
    }
    if (asked !== undefined) await this.#recordLosses(message);
    if (isLast(message)) this.#open = false;
    if (message.role === "assistant" && message.stopReason !== "toolUse") this.#waits = false;
    this.#from = next;
  }

  /** A message from elsewhere that joins a question takes its answer from nobody: whoever asked here is answered as well. */
  #ask(asked: Asked | undefined): void {
    if (asked === undefined && this.#waits) return;
    this.#asked = asked;
    this.#open = asked !== undefined;
    this.#waits = this.#open;
    this.#hasSent = false;
  }

  async #recordLosses(message: AgentMessage): Promise<void> {
    const { channel, reception } = this.#world;
    const losses = lostInAnswer(message, payloadOf(message)?.text ?? "", channel);
    if (losses.length > 0) await this.conversation.recordLosses("channel", reception.channel, losses);
  }

  #parts(message: AgentMessage, asked: Asked): Outgoing[] {
    const payload = payloadOf(message);
    const parts = payload === undefined ? [] : this.#partsOf(payload, message.id, asked);
    // People see that it was typing, and wait.
    const isEmpty = parts.length === 0 && !this.#hasSent && isWhole(message);
    return isEmpty ? this.#partsOf(emptyAnswer, message.id, asked) : parts;
  }

  /** A client may ask another agent than the account's; its links lead to its own files. */
  #withFiles(payload: ReplyPayload): ReplyPayload {
    const { channel, reception, runtime } = this.#world;
    const { agent = MAIN } = this.conversation.session.header;
    const other = agent === (reception.agent ?? MAIN) ? undefined : agent;
    return withFiles(payload, runtime.agents.workspaceOf(agent), channel.traits.mostSentBytes, other);
  }

  #partsOf(payload: ReplyPayload, id: string | undefined, asked: Asked): Outgoing[] {
    const { channel, notes, reception } = this.#world;
    const { mediaUrls = [], ...words } = this.#withFiles(payload);
    try {
      // The words come first, so that they can take the place of a preview.
      return [
        ...(words.text === "" ? [] : channel.outgoing(replying(words, asked), asked.place)),
        ...(mediaUrls.length === 0 ? [] : channel.outgoing({ mediaUrls }, asked.place)),
      ];
    } catch (error) {
      const { channel: name, account } = reception;
      notes.error({ channel: name, account, message: id, err: error }, "an answer has no form to be sent in");
      return [];
    }
  }
}

/** Whether the model says that this is all. */
function isWhole(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "stop";
}

/** Whether nothing has to follow it. An answer that was stopped before it began may be given by the next process. */
function isLast(message: AgentMessage): boolean {
  if (message.role !== "assistant") return message.role === "error";
  return message.stopReason !== "toolUse" && !(message.stopReason === "aborted" && isSilent(message));
}
