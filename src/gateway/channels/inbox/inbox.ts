import { type Decision, decide } from "../../../channels/access.js";
import { passedOnIn } from "../../../channels/passed-on.js";
import { idsOf } from "../../../channels/person-ids.js";
import type { Inbound } from "../../../channels/types.js";
import { backoff } from "../../../core/async/backoff.js";
import { sleep } from "../../../core/async/clock.js";
import type { Journal } from "../../../log/store.js";
import { type AccountJournalOptions, openAccountJournal } from "../account-journal.js";
import { Lanes } from "../lanes.js";
import { chatKey, readInboxRecord } from "../read-record.js";
import type { InboxRecord } from "../record-schema.js";
import { joinAlbum } from "./compose.js";
import { Gather } from "./gather.js";
import { editedKey, InboxState, keyOf, type Received } from "./inbox-state.js";

/** An album's pictures arrive one by one, in quick succession. */
const ALBUM_MS = 500;
/** The wait for known missing pictures, which may still be uploading. */
const ALBUM_REST_MS = 10_000;

/** Messages written further apart are not combined, even if they arrive together. */
const APART_SECONDS = 60;

/** After that, a message is left for the next start, so that it does not block its chat. */
const MOST_ATTEMPTS = 8;

export interface InboxOptions extends AccountJournalOptions {
  /** The current access policy. */
  policy(): Promise<Parameters<typeof decide>[1]>;
  /** Sends a stranger a pairing code. Retries use the same `key`. */
  pair(inbound: Inbound, key: string): Promise<void>;
  /** The action of a command message; undefined if it is not a command. */
  command(inbound: Inbound, key: string, decision: Decision): (() => Promise<void>) | undefined;
  /** Records that the author deleted or emptied a message the agent already got. */
  recordWithdrawal(inbound: Inbound): Promise<void>;
  /**
   * Resolves when the message is in a session's log. Sending again under the same key has no effect. The message is not sent
   * before `recorded` is fulfilled.
   */
  sendToAgent(
    messages: readonly [Inbound, ...Inbound[]],
    before: readonly Inbound[],
    key: string,
    recorded: Promise<void>,
  ): Promise<void>;
}

/**
 * Messages from a platform. Each is on disk before it is acknowledged to the platform, and is handled once, by this process or
 * the next.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #state: InboxState;
  readonly #journal: Journal<InboxRecord>;
  readonly #arriving = new Map<string, Promise<void>>();
  readonly #albums: Gather<Received>;
  /** Each item is a message, or the messages of an album. */
  readonly #debounced: Gather<readonly Received[]>;
  /** By chat: decisions in order of arrival, and sends to the agent in order of decision. */
  readonly #deciding = new Lanes();
  readonly #sending = new Lanes();
  readonly #closing = new AbortController();

  private constructor(options: InboxOptions, state: InboxState, journal: Journal<InboxRecord>) {
    this.#options = options;
    this.#state = state;
    this.#journal = journal;
    this.#albums = new Gather(options.world, (received) => this.#enqueueDecision(received));
    this.#debounced = new Gather(options.world, (items) => this.#sendToAgent(items.flat()));
  }

  static async open(options: InboxOptions): Promise<Inbox> {
    const state = new InboxState(options.world.now);
    return new Inbox(options, state, await openAccountJournal(options, state, readInboxRecord));
  }

  /** The number of unfinished messages. */
  get waiting(): number {
    const batched = [...this.#state.batches.values()].reduce((sum, batch) => sum + batch.length, 0);
    return this.#state.waiting.size + batched;
  }

  /** Continues with what the last process left unfinished. */
  resume(): void {
    for (const batch of [...this.#state.batches.values()]) this.#sendToAgent(batch);
    for (const received of [...this.#state.waiting.values()]) this.#admit(received);
  }

  /** Resolves when the message is on disk, by this call or an earlier one. */
  async receive(native: Inbound): Promise<void> {
    this.#closing.signal.throwIfAborted();
    const inbound = this.#isReceived(native) ? native : originalOf(native);
    const key = keyOf(inbound);
    const { metrics, channel, account, world } = this.#options;
    const arriving = this.#arriving.get(key);
    if (arriving !== undefined || this.#state.has(key)) {
      metrics.count("dragoman_channel_duplicates_total", { channel, account });
      return arriving;
    }
    const received = { key, at: world.now(), inbound };
    // An edit that became a message must not be received again as an edit.
    const also: InboxRecord[] =
      inbound === native ? [] : [{ type: "seen", ids: [[keyOf(native), received.at, native.sender.id]] }];
    const storing = this.#journal.append([{ type: "in", ...received }, ...also]);
    this.#arriving.set(key, storing);
    try {
      await storing;
    } finally {
      this.#arriving.delete(key);
    }
    metrics.count("dragoman_channel_received_total", { channel, account });
    this.#admit(received);
  }

  /** Whether the message that a missed edit replaces was received. */
  #isReceived({ missed, ...inbound }: Inbound): boolean {
    const edited = editedKey(inbound);
    if (missed === undefined || edited === undefined) return true;
    return this.#state.has(edited) || this.#arriving.has(edited);
  }

  /** Resolves when nothing is running. The next process finishes the rest. */
  async close(drainMs: number): Promise<void> {
    this.#closing.abort();
    this.#albums.clear();
    this.#debounced.clear();
    const { world } = this.#options;
    await Promise.all([this.#deciding, this.#sending].map((lanes) => lanes.idleWithin(world, drainMs)));
    await this.#journal.close();
  }

  #admit(received: Received): void {
    if (this.#closing.signal.aborted) return;
    const { inbound } = received;
    const { album, place, sender } = inbound;
    const edited = editedKey(inbound);
    // The lane decides the edited message first.
    if (edited !== undefined) this.#runInLane(this.#deciding, received, () => this.#edit(edited, received));
    else if (album === undefined) this.#enqueueDecision([received]);
    else this.#gatherAlbum(JSON.stringify([chatKey(place), sender.id, album]), received);
  }

  #gatherAlbum(group: string, received: Received): void {
    const { albumSize = 0 } = received.inbound;
    const count = this.#albums.count(group) + 1;
    this.#albums.add(group, received, count < albumSize ? ALBUM_REST_MS : ALBUM_MS);
    if (count === albumSize) this.#albums.flush(group);
  }

  async #edit(edited: string, received: Received): Promise<void> {
    const done: InboxRecord = { type: "done", keys: [received.key] };
    // The original was never received, so the edit is not for the agent.
    if (!this.#state.has(edited)) return this.#journal.append([done]);
    if (!this.#isAuthor(edited, received.inbound)) {
      const { logger, channel, account } = this.#options;
      logger.warn(
        { channel, account, message: received.inbound.id },
        "ignored an edit by someone other than the author",
      );
      return this.#journal.append([done]);
    }
    if (isWithdrawal(received.inbound)) return this.#withdraw(edited, received);
    const { edits: _, ...better } = received.inbound;
    const records: InboxRecord[] = [done];
    const waited = this.#debounced.replace(
      ([first, ...rest]) => first?.key === edited && rest.length === 0,
      (items) =>
        items.map((item) => {
          // The agent has not seen it yet: the edit replaces it.
          const replaced = { ...item, inbound: { ...better, id: item.inbound.id } };
          records.unshift({ type: "in", ...replaced });
          return replaced;
        }),
    );
    return waited ? this.#journal.append(records) : this.#decide([received], received.inbound);
  }

  /** Drops a message that its author deleted or emptied, or records the deletion if the agent already got it. */
  async #withdraw(edited: string, { key, inbound }: Received): Promise<void> {
    const { logger, channel, account, recordWithdrawal } = this.#options;
    const place = chatKey(inbound.place);
    const waited =
      this.#albums.remove((one) => one.key === edited) ||
      this.#debounced.replace(
        (several) => several.some((one) => one.key === edited),
        (several) => several.filter((one) => one.key !== edited),
      ) ||
      this.#state.contextOf(place).some((one) => one.key === edited);
    const fields = { channel, account, message: inbound.edits };
    if (waited) logger.info(fields, "dropped a message that its author deleted or emptied");
    else {
      await recordWithdrawal(inbound);
      logger.warn(fields, "the author deleted or emptied a message that the agent already received");
    }
    await this.#journal.append([{ type: "done", keys: [edited, key], place }]);
  }

  /** Only a message's author can edit it. If the author is unknown, edits count only in direct chats. */
  #isAuthor(edited: string, { sender, place }: Inbound): boolean {
    const author = this.#state.authorOf(edited);
    return author === undefined ? place.kind === "direct" : idsOf(sender).includes(author);
  }

  /** Queues the decision about a message or an album. */
  #enqueueDecision(several: readonly Received[]): void {
    const [first, ...rest] = several;
    if (first === undefined) return;
    const inbound =
      rest.length === 0 ? first.inbound : joinAlbum([first.inbound, ...rest.map((one) => one.inbound)]);
    this.#runInLane(this.#deciding, first, () => this.#decide([first, ...rest], inbound));
  }

  async #decide(several: readonly [Received, ...Received[]], inbound: Inbound): Promise<void> {
    const { policy, command, pair, traits } = this.#options;
    const [first] = several;
    const decision = decide(inbound, await policy());
    const keys = several.map(({ key }) => key);
    const done: InboxRecord = { type: "done", keys };
    const place = chatKey(inbound.place);
    const { chat } = inbound.place;
    const { verdict, mayAsk } = decision;
    if (mayAsk && !this.#state.isOpen(chat)) await this.#journal.append([{ type: "open", chat }]);
    const run =
      verdict === "answer" || verdict === "context" ? command(inbound, first.key, decision) : undefined;
    if (run !== undefined) {
      // Messages before the command go to the agent first.
      this.#debounced.flushThose((group) => JSON.parse(group)[0] === place);
      this.#runInLane(this.#sending, first, async () => {
        await run();
        await this.#journal.append([done]);
      });
      return;
    }
    switch (verdict) {
      case "context":
        if (!this.#state.isOpen(chat)) break;
        return this.#journal.append([...this.#forgetEdited(inbound), { type: "context", keys }]);
      case "answer":
        this.#gather(JSON.stringify([place, inbound.sender.id]), several, traits.debounceMs);
        return;
      case "pair":
        await pair(inbound, first.key);
        break;
      case "ignore":
    }
    await this.#journal.append([done]);
  }

  /** After an outage everything arrives at once; only messages written close together are combined. */
  #gather(group: string, several: readonly [Received, ...Received[]], pauseMs: number): void {
    const before = this.#debounced.last(group)?.at(-1)?.inbound.message.Timestamp;
    const { Timestamp: now } = several[0].inbound.message;
    const isApart = before !== undefined && now !== undefined && Math.abs(now - before) > APART_SECONDS;
    if (isApart) this.#debounced.flush(group);
    this.#debounced.add(group, several, pauseMs);
  }

  #forgetEdited(inbound: Inbound): InboxRecord[] {
    const edited = editedKey(inbound);
    return edited === undefined ? [] : [{ type: "done", keys: [edited], place: chatKey(inbound.place) }];
  }

  /** Sends messages to the agent as one. */
  #sendToAgent(received: readonly Received[]): void {
    const [first, ...rest] = unitsOf(received);
    const key = received[0]?.key;
    if (first === undefined || key === undefined) return;
    const place = chatKey(first.place);
    this.#runInLane(this.#sending, { inbound: first }, async () => {
      const keys = received.map((one) => one.key);
      const context = this.#state.contextOf(place);
      const recorded = this.#recordBatch(key, keys);
      // Awaited below; until then a failure must not count as unhandled.
      recorded.catch(() => undefined);
      await this.#options
        .sendToAgent(
          [first, ...rest],
          context.map(({ inbound }) => inbound),
          key,
          recorded,
        )
        // A retry must know whether the batch is on disk.
        .finally(() => recorded);
      const all = [...keys, ...context.map((one) => one.key)];
      await this.#journal.append([{ type: "done", keys: all, place }]);
    });
  }

  /** From then on, no later message is combined with these, even after a restart. */
  async #recordBatch(key: string, keys: string[]): Promise<void> {
    if (!this.#state.batches.has(key)) await this.#journal.append([{ type: "batch", keys }]);
  }

  /** Runs work in the chat's lane, with retries. */
  #runInLane(lanes: Lanes, { inbound }: { inbound: Inbound }, work: () => Promise<void>): void {
    const { world, logger, channel, account } = this.#options;
    const { signal } = this.#closing;
    const attempts = async (): Promise<void> => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS && !signal.aborted; attempt++) {
        try {
          return await work();
        } catch (error) {
          if (signal.aborted) return;
          logger.error(
            { channel, account, message: inbound.id, err: error },
            "could not handle a message, will retry",
          );
          await sleep(world, backoff(attempt, world), signal);
        }
      }
    };
    // Closing ends it early; the message stays for the next start.
    lanes.run(chatKey(inbound.place), attempts).catch(() => undefined);
  }
}

/** An edit without content. */
function isWithdrawal({ message, attachments }: Inbound): boolean {
  return (message.Text ?? "") === "" && attachments.length === 0 && passedOnIn(message).length === 0;
}

/** Turns an edit into the message it edits. */
function originalOf({ edits, missed: _, ...inbound }: Inbound): Inbound {
  return edits === undefined ? inbound : { ...inbound, id: edits };
}

/** Joins the messages of each album. */
function unitsOf(received: readonly Received[]): Inbound[] {
  const units: Inbound[] = [];
  for (const { inbound } of received) {
    const last = units.at(-1);
    if (last?.album !== undefined && last.album === inbound.album)
      units.splice(-1, 1, joinAlbum([last, inbound]));
    else units.push(inbound);
  }
  return units;
}
