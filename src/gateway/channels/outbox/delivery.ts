import { backoff } from "../../../core/async/backoff.js";
import { sleep } from "../../../core/async/clock.js";
import { DragomanError } from "../../../core/error.js";
import type { Entry } from "../../../log/types.js";
import type { Conversation } from "../../../runtime/conversation.js";
import { Feed, type Follower } from "../../../runtime/feed.js";
import type { Runtime } from "../../../runtime/runtime.js";
import { Lanes } from "../lanes.js";
import { SessionFollower, type SessionFollowerWorld } from "./follower.js";
import type { Followed } from "./outbox-state.js";

export interface DeliveryOptions extends SessionFollowerWorld {
  runtime: Runtime;
}

interface FollowedSession {
  follower: SessionFollower;
  /** Running `askAndDeliver` calls. */
  users: number;
  /** Unsubscribes from the session's feed. */
  leave: () => void;
  /** The number of feed failures. */
  failures: number;
}

/**
 * Puts the answers of sessions into the outbox, each once: the read position is stored with the answers. A session is followed
 * from before a question until no answer is pending, by this process or the next.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #sessions = new Map<string, FollowedSession>();
  /** By session. */
  readonly #lanes = new Lanes();
  readonly #closing = new AbortController();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Runs `ask` and delivers the answers, even if this process ends right afterwards. */
  async askAndDeliver<T>(conversation: Conversation, ask: () => Promise<T>): Promise<T> {
    const session = conversation.session.id;
    const held = await this.#lanes.run(session, async () => {
      const known = this.#sessions.get(session) ?? (await this.#start(conversation));
      known.users++;
      return known;
    });
    try {
      return await ask();
    } finally {
      held.users--;
      this.#releaseWhenIdle(held);
    }
  }

  /** Continues with what the last process left unfinished. */
  async resume(): Promise<void> {
    const { outbox, runtime } = this.#options;
    for (const [session, followed] of [...outbox.state.followed]) {
      if (this.#closed) return;
      try {
        await this.#lanes.run(session, async () => {
          // A new message may have started it meanwhile.
          if (this.#sessions.has(session)) return;
          const conversation = await runtime.open(session);
          const held = await this.#continue(conversation, followed);
          void conversation.resume().then(() => this.#releaseWhenIdle(held));
        });
      } catch (error) {
        this.#logError(session, error);
        // The session was deleted.
        const isGone = error instanceof DragomanError && error.code === "log/no-session";
        if (isGone) await outbox.record({ type: "settled", session });
      }
    }
  }

  /** Resolves when nothing is being added to the outbox. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const held of [...this.#sessions.values()]) this.#drop(held);
    await this.#lanes.idle();
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #start(conversation: Conversation): Promise<FollowedSession> {
    const { outbox } = this.#options;
    const session = conversation.session.id;
    const followed = outbox.state.followed.get(session);
    if (followed !== undefined) return this.#continue(conversation, followed);
    const from = await conversation.session.end();
    await outbox.record({ type: "follow", session, from });
    return this.#add(conversation, { from });
  }

  async #continue(conversation: Conversation, followed: Followed): Promise<FollowedSession> {
    const held = this.#add(conversation, followed);
    await held.follower.loadOpenQuestion();
    this.#advance(held.follower);
    return held;
  }

  #add(conversation: Conversation, followed: Followed): FollowedSession {
    const follower = new SessionFollower(conversation, followed, this.#options);
    const held: FollowedSession = { follower, users: 0, leave: () => undefined, failures: 0 };
    this.#sessions.set(conversation.session.id, held);
    this.#follow(held);
    return held;
  }

  #drop({ follower, leave }: FollowedSession): void {
    leave();
    follower.stop();
    this.#sessions.delete(follower.conversation.session.id);
  }

  #follow(held: FollowedSession): void {
    const { follower } = held;
    const listener: Follower = {
      onEntry: (entry) => this.#advance(follower, entry),
      onEvent: (event) => {
        follower.observe(event);
        if (event.type === "run_end") this.#releaseWhenIdle(held);
      },
      onFailure: (error) => void this.#followAgain(held, error),
    };
    const feed = Feed.follow(follower.conversation, listener);
    held.leave = () => feed.leave(listener);
  }

  /** Retries after a failed read of the log, with growing pauses. */
  async #followAgain(held: FollowedSession, error: unknown): Promise<void> {
    const session = held.follower.conversation.session.id;
    this.#logError(session, error);
    await this.#pause(held.failures++);
    if (this.#closed || this.#sessions.get(session) !== held) return;
    this.#follow(held);
    // A retry that is already running there reads everything that was missed.
    if (!this.#lanes.busy(session)) this.#advance(held.follower);
    this.#releaseWhenIdle(held);
  }

  #advance(follower: SessionFollower, entry?: Entry): void {
    const session = follower.conversation.session.id;
    void this.#lanes.run(session, async () => {
      for (let attempt = 0; !this.#closed; attempt++) {
        try {
          return await follower.advance(attempt === 0 ? entry : undefined);
        } catch (error) {
          this.#logError(session, error);
          // Retried from where it stopped; the log still has everything.
          await this.#pause(attempt);
        }
      }
    });
  }

  #releaseWhenIdle(held: FollowedSession): void {
    const { conversation } = held.follower;
    void conversation.idle().then(() => this.#release(held));
  }

  async #release(held: FollowedSession): Promise<void> {
    const { follower } = held;
    const session = follower.conversation.session.id;
    if (this.#closed || this.#sessions.get(session) !== held || held.users > 0) return;
    try {
      await this.#lanes.run(session, async () => {
        if (this.#closed || this.#sessions.get(session) !== held) return;
        await follower.advance();
        if (held.users > 0 || !follower.settled) return;
        await this.#options.outbox.record({ type: "settled", session });
        this.#drop(held);
      });
    } catch (error) {
      this.#logError(session, error);
    }
  }

  /** Closing ends the pause early. */
  async #pause(attempt: number): Promise<void> {
    const { world } = this.#options;
    await sleep(world, backoff(attempt, world), this.#closing.signal).catch(() => undefined);
  }

  #logError(session: string, error: unknown): void {
    const { logger, reception } = this.#options;
    const { channel, account } = reception;
    logger.error({ channel, account, session, err: error }, "could not deliver a session's answers");
  }
}
