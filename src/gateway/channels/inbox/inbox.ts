import { type Decision, decide } from "../../../channels/access.js";
import { passedOnIn } from "../../../channels/passed-on.js";
import { idsOf } from "../../../channels/person-ids.js";
import type { ChannelName } from "../../../channels/registry.js";
import type { Inbound, Traits } from "../../../channels/types.js";
import { backoff } from "../../../core/async/backoff.js";
import { type Clock, sleep } from "../../../core/async/clock.js";
import { Journal } from "../../../log/journal.js";
import type { Logger, Metrics } from "../../types.js";
import { Lanes } from "../lanes.js";
import { placeKey, readInboxRecord } from "../read-record.js";
import type { InboxRecord } from "../record-schema.js";
import { joinAlbum } from "./compose.js";
import { Gather } from "./gather.js";
import { editedKey, InboxState, keyOf, type Received } from "./inbox-state.js";

/** The pictures of an album come one by one, if quickly. */
const ALBUM_MS = 500;
/** Where it is known that there are more, they are uploaded still. */
const ALBUM_REST_MS = 10_000;

/** What was written so far apart is not written in a row, though it may arrive so. */
const APART_SECONDS = 60;

/** Then it is left for the next start, so that others in the same place are heard. */
const MOST_ATTEMPTS = 8;

export interface InboxOptions {
  path: string;
  channel: ChannelName;
  account: string;
  traits: Traits;
  world: Clock;
  notes: Logger;
  metrics: Metrics;
  /** Who is let in, as it is at the moment. */
  policy(): Promise<Parameters<typeof decide>[1]>;
  /** Tells a stranger how to be let in. `key` is the same when it is asked for again. */
  pair(inbound: Inbound, key: string): Promise<void>;
  /** What does the command that a message is; undefined when it is not one. */
  command(inbound: Inbound, key: string, decision: Decision): (() => Promise<void>) | undefined;
  /** Records that the author has deleted or emptied a message after the agent was told of it. */
  recordWithdrawal(inbound: Inbound): Promise<void>;
  /** Tells the agent. Fulfilled when it is in the log of a session; under the same key it is told once. */
  tell(messages: readonly [Inbound, ...Inbound[]], before: readonly Inbound[], key: string): Promise<void>;
}

/**
 * What comes in from a platform. It is on disk before the platform is told that it was received, and is handled once, by this
 * process or the next.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #state: InboxState;
  readonly #journal: Journal<InboxRecord>;
  readonly #arriving = new Map<string, Promise<void>>();
  readonly #albums: Gather<Received>;
  /** Each item is a message, or the messages of an album. */
  readonly #talk: Gather<readonly Received[]>;
  /** By place: what is decided in the order it came, and what is told to the agent in the order it was decided. */
  readonly #deciding = new Lanes();
  readonly #telling = new Lanes();
  readonly #closing = new AbortController();

  private constructor(options: InboxOptions, state: InboxState, journal: Journal<InboxRecord>) {
    this.#options = options;
    this.#state = state;
    this.#journal = journal;
    this.#albums = new Gather(options.world, (received) => this.#judge(received));
    this.#talk = new Gather(options.world, (items) => this.#tell(items.flat()));
  }

  static async open(options: InboxOptions): Promise<Inbox> {
    const { path, notes, channel, account, world } = options;
    const state = new InboxState(world.now);
    const journal = await Journal.open<InboxRecord>({
      path,
      read: readInboxRecord,
      apply: (record) => state.apply(record),
      snapshot: () => state.snapshot(),
      onNote: (text) => notes.warn({ channel, account }, text),
    });
    return new Inbox(options, state, journal);
  }

  /** Messages that are not done yet. */
  get waiting(): number {
    const batched = [...this.#state.batches.values()].reduce((sum, batch) => sum + batch.length, 0);
    return this.#state.waiting.size + batched;
  }

  /** Goes on with what the last process left. */
  resume(): void {
    for (const batch of [...this.#state.batches.values()]) this.#tell(batch);
    for (const received of [...this.#state.waiting.values()]) this.#admit(received);
  }

  /** Fulfilled when it is on disk, by this call or one before it. */
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
    // An edit that became a message is not received once more as an edit.
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

  /** Whether somebody has received what a missed message edits. */
  #isReceived({ missed, ...inbound }: Inbound): boolean {
    const edited = editedKey(inbound);
    if (missed === undefined || edited === undefined) return true;
    return this.#state.has(edited) || this.#arriving.has(edited);
  }

  /** Fulfilled when nothing is under way. What is not done is done by the next process. */
  async close(drainMs: number): Promise<void> {
    this.#closing.abort();
    this.#albums.clear();
    this.#talk.clear();
    const { world } = this.#options;
    await Promise.all([this.#deciding, this.#telling].map((lanes) => lanes.idleWithin(world, drainMs)));
    await this.#journal.close();
  }

  #admit(received: Received): void {
    if (this.#closing.signal.aborted) return;
    const { inbound } = received;
    const { album, place, sender } = inbound;
    const edited = editedKey(inbound);
    // What it edits is decided before it, in the same lane.
    if (edited !== undefined) this.#inLane(this.#deciding, received, () => this.#edit(edited, received));
    else if (album === undefined) this.#judge([received]);
    else this.#gatherAlbum(JSON.stringify([placeKey(place), sender.id, album]), received);
  }

  #gatherAlbum(group: string, received: Received): void {
    const { albumSize = 0 } = received.inbound;
    const count = this.#albums.count(group) + 1;
    this.#albums.add(group, received, count < albumSize ? ALBUM_REST_MS : ALBUM_MS);
    if (count === albumSize) this.#albums.flush(group);
  }

  async #edit(edited: string, received: Received): Promise<void> {
    const done: InboxRecord = { type: "done", keys: [received.key] };
    // Something that was said before anybody listened is edited for others.
    if (!this.#state.has(edited)) return this.#journal.append([done]);
    if (!this.#isAuthor(edited, received.inbound)) {
      const { notes, channel, account } = this.#options;
      notes.warn({ channel, account, message: received.inbound.id }, "an edit by another sender is ignored");
      return this.#journal.append([done]);
    }
    if (isWithdrawal(received.inbound)) return this.#withdraw(edited, received);
    const { edits: _, ...better } = received.inbound;
    const records: InboxRecord[] = [done];
    const waited = this.#talk.replace(
      ([first, ...rest]) => first?.key === edited && rest.length === 0,
      (items) =>
        items.map((item) => {
          // What is said better before it was told to anybody was never said otherwise.
          const replaced = { ...item, inbound: { ...better, id: item.inbound.id } };
          records.unshift({ type: "in", ...replaced });
          return replaced;
        }),
    );
    return waited ? this.#journal.append(records) : this.#decide([received], received.inbound);
  }

  /** A message that its author has deleted or emptied is not told to the agent, unless it was told already. */
  async #withdraw(edited: string, { key, inbound }: Received): Promise<void> {
    const { notes, channel, account, recordWithdrawal } = this.#options;
    const place = placeKey(inbound.place);
    const waited =
      this.#albums.remove((one) => one.key === edited) ||
      this.#talk.replace(
        (several) => several.some((one) => one.key === edited),
        (several) => several.filter((one) => one.key !== edited),
      ) ||
      this.#state.contextOf(place).some((one) => one.key === edited);
    const fields = { channel, account, message: inbound.edits };
    if (waited) notes.info(fields, "a message is withdrawn: its author has deleted or emptied it");
    else {
      await recordWithdrawal(inbound);
      notes.warn(fields, "a message was deleted or emptied by its author after the agent was told of it");
    }
    await this.#journal.append([{ type: "done", keys: [edited, key], place }]);
  }

  /** Only the author of a message can edit it. Between two there is one author; elsewhere an unknown one is not this one. */
  #isAuthor(edited: string, { sender, place }: Inbound): boolean {
    const author = this.#state.authorOf(edited);
    return author === undefined ? place.kind === "direct" : idsOf(sender).includes(author);
  }

  /** Decides what becomes of a message, or of an album. */
  #judge(several: readonly Received[]): void {
    const [first, ...rest] = several;
    if (first === undefined) return;
    const inbound =
      rest.length === 0 ? first.inbound : joinAlbum([first.inbound, ...rest.map((one) => one.inbound)]);
    this.#inLane(this.#deciding, first, () => this.#decide([first, ...rest], inbound));
  }

  async #decide(several: readonly [Received, ...Received[]], inbound: Inbound): Promise<void> {
    const { policy, command, pair, traits } = this.#options;
    const [first] = several;
    const decision = decide(inbound, await policy());
    const keys = several.map(({ key }) => key);
    const done: InboxRecord = { type: "done", keys };
    const place = placeKey(inbound.place);
    const { chat } = inbound.place;
    const { verdict, mayAsk } = decision;
    if (mayAsk && !this.#state.isOpen(chat)) await this.#journal.append([{ type: "open", chat }]);
    const run =
      verdict === "answer" || verdict === "context" ? command(inbound, first.key, decision) : undefined;
    if (run !== undefined) {
      // What was said before a command is told before it is done.
      this.#talk.flushThose((group) => JSON.parse(group)[0] === place);
      this.#inLane(this.#telling, first, async () => {
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

  /** After a break everything comes at once, and only what was written in a row is one question. */
  #gather(group: string, several: readonly [Received, ...Received[]], pauseMs: number): void {
    const before = this.#talk.last(group)?.at(-1)?.inbound.message.Timestamp;
    const { Timestamp: now } = several[0].inbound.message;
    const isApart = before !== undefined && now !== undefined && Math.abs(now - before) > APART_SECONDS;
    if (isApart) this.#talk.flush(group);
    this.#talk.add(group, several, pauseMs);
  }

  #forgetEdited(inbound: Inbound): InboxRecord[] {
    const edited = editedKey(inbound);
    return edited === undefined ? [] : [{ type: "done", keys: [edited], place: placeKey(inbound.place) }];
  }

  /** Tells the agent of messages that somebody sent in a row, as one. */
  #tell(received: readonly Received[]): void {
    const [first, ...rest] = unitsOf(received);
    const key = received[0]?.key;
    if (first === undefined || key === undefined) return;
    const place = placeKey(first.place);
    this.#inLane(this.#telling, { inbound: first }, async () => {
      const keys = received.map((one) => one.key);
      if (!this.#state.batches.has(key)) await this.#journal.append([{ type: "batch", keys }]);
      const context = this.#state.contextOf(place);
      await this.#options.tell(
        [first, ...rest],
        context.map(({ inbound }) => inbound),
        key,
      );
      const all = [...keys, ...context.map((one) => one.key)];
      await this.#journal.append([{ type: "done", keys: all, place }]);
    });
  }

  /** In order with what else happens in a place, and again while it fails. */
  #inLane(lanes: Lanes, { inbound }: { inbound: Inbound }, work: () => Promise<void>): void {
    const { world, notes, channel, account } = this.#options;
    const { signal } = this.#closing;
    const attempts = async (): Promise<void> => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS && !signal.aborted; attempt++) {
        try {
          return await work();
        } catch (error) {
          if (signal.aborted) return;
          notes.error(
            { channel, account, message: inbound.id, err: error },
            "a message cannot be handled yet",
          );
          await sleep(world, backoff(attempt, world), signal);
        }
      }
    };
    // Only the end of the account ends it early; then the message stays for the next start.
    lanes.run(placeKey(inbound.place), attempts).catch(() => undefined);
  }
}

/** An edit that leaves nothing of the message. */
function isWithdrawal({ message, attachments }: Inbound): boolean {
  return (message.Text ?? "") === "" && attachments.length === 0 && passedOnIn(message).length === 0;
}

/** An edit as the message that it edits. */
function originalOf({ edits, missed: _, ...inbound }: Inbound): Inbound {
  return edits === undefined ? inbound : { ...inbound, id: edits };
}

/** Messages, with those of an album as one. */
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
