import type { ChannelName } from "../../../channels/registry.js";
import type { Outgoing, Place, Traits, Transport } from "../../../channels/types.js";
import { SendError } from "../../../channels/types.js";
import { backoff } from "../../../core/async/backoff.js";
import { type Clock, sleep } from "../../../core/async/clock.js";
import { wordsOf } from "../../../core/error.js";
import { newId } from "../../../core/ids.js";
import { Journal } from "../../../log/journal.js";
import type { Logger, Metrics } from "../../types.js";
import { Lanes } from "../lanes.js";
import { placeKey, readOutboxRecord } from "../read-record.js";
import type { OutboxRecord } from "../record-schema.js";
import { type Answer, isSettled, OutboxState, type Part } from "./outbox-state.js";

/** Older answers are given up: nobody waits for them any more. */
const OLDEST_MS = 24 * 3_600_000;

export interface OutboxOptions {
  path: string;
  channel: ChannelName;
  account: string;
  traits: Traits;
  world: Clock;
  notes: Logger;
  metrics: Metrics;
}

type NewAnswer = Omit<Extract<OutboxRecord, { type: "answer" }>, "type" | "at">;

/**
 * What goes out to a platform, each thing once as far as anybody can know. It is on disk before it is sent; each place has its
 * own order, and waits for no other place.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #state: OutboxState;
  readonly #journal: Journal<OutboxRecord>;
  readonly #lanes = new Lanes();
  readonly #closing = new AbortController();
  readonly #connected: Promise<Transport>;
  #connect: (transport: Transport) => void = () => undefined;
  #transport: Transport | undefined;
  #nextSend = 0;
  #nextPreview = 0;

  private constructor(options: OutboxOptions, state: OutboxState, journal: Journal<OutboxRecord>) {
    this.#options = options;
    this.#state = state;
    this.#journal = journal;
    this.#connected = new Promise((resolve) => {
      this.#connect = resolve;
    });
  }

  /** Fulfilled when it knows what it had to send, and what may have been sent when its last process ended. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    const { path, notes, channel, account, world } = options;
    const state = new OutboxState(world.now);
    const journal = await Journal.open<OutboxRecord>({
      path,
      read: readOutboxRecord,
      apply: (record) => state.apply(record),
      snapshot: () => state.snapshot(),
      onNote: (text) => notes.warn({ channel, account }, text),
    });
    const outbox = new Outbox(options, state, journal);
    await outbox.#judgeInterrupted();
    for (const answer of [...state.answers.values()]) outbox.#deliver(answer);
    return outbox;
  }

  get state(): Pick<OutboxState, "followed" | "count"> {
    return this.#state;
  }

  /** From here on it sends. */
  connect(transport: Transport): void {
    this.#transport = transport;
    this.#connect(transport);
  }

  /** Fulfilled when it is on disk. An answer that was added before is not added again. */
  async add(answer: NewAnswer): Promise<void> {
    const known = this.#state.has(answer.id);
    await this.#journal.append([{ type: "answer", at: this.#options.world.now(), ...answer }]);
    const added = this.#state.answers.get(answer.id);
    if (!known && added !== undefined) this.#deliver(added);
  }

  /** What is to be remembered beside the answers themselves. */
  record(record: Extract<OutboxRecord, { type: "follow" | "settled" }>): Promise<void> {
    return this.#journal.append([record]);
  }

  /** Whether answers can be shown while they are made. */
  get canPreview(): boolean {
    return this.#transport?.edit !== undefined && this.#options.traits.editEveryMs !== undefined;
  }

  /** Shows what there is of an answer, unless something else is being sent there. That it fails is of no consequence. */
  async preview(session: string, place: Place, outgoing: Outgoing): Promise<"shown" | "busy" | "failed"> {
    const transport = this.#transport;
    const lane = placeKey(place);
    const { now } = this.#options.world;
    if (transport?.edit === undefined || this.#lanes.busy(lane) || now() < this.#nextPreview) return "busy";
    return this.#lanes.run(lane, async () => {
      try {
        await this.#slot();
        const shown = this.#state.previews.get(session);
        if (shown?.as !== undefined) await transport.edit?.(place, shown.as, outgoing);
        else await this.#beginPreview(transport, session, place, outgoing);
        return "shown";
      } catch (error) {
        this.#count("preview_failed");
        const { fate, afterMs } = error instanceof SendError ? error : {};
        if (fate !== "later") return "failed";
        this.#nextPreview = now() + (afterMs ?? 0);
        return "busy";
      }
    });
  }

  async typing(place: Place): Promise<void> {
    try {
      await this.#transport?.typing?.(place);
    } catch {
      this.#count("typing_failed");
    }
  }

  /** Fulfilled when nothing is being sent. What has to wait stays for the next start. */
  async close(drainMs: number): Promise<void> {
    const { world } = this.#options;
    if (this.#transport !== undefined) await this.#lanes.idleWithin(world, drainMs);
    this.#closing.abort();
    await this.#lanes.idleWithin(world, drainMs);
    await this.#journal.close();
  }

  /** An edit can be made again; of a message nobody knows whether it arrived, unless the platform takes it once. */
  async #judgeInterrupted(): Promise<void> {
    const records: OutboxRecord[] = [];
    for (const { id, parts } of this.#state.answers.values()) {
      for (const [index, part] of parts.entries()) {
        if (part.state !== "sending") continue;
        if (part.edits !== undefined || this.#options.traits.repeatable === true)
          records.push({ type: "part", id, index, state: "pending" });
        else records.push(this.#outcome(id, index, "unknown", "the process ended while it was sent"));
      }
    }
    for (const [session, { state, place }] of this.#state.previews) {
      if (state !== "sending") continue;
      this.#count("preview_unknown");
      records.push({ type: "preview", session, place, state: "gone" });
    }
    if (records.length > 0) await this.#journal.append(records);
  }

  async #beginPreview(
    transport: Transport,
    session: string,
    place: Place,
    outgoing: Outgoing,
  ): Promise<void> {
    await this.#journal.append([{ type: "preview", session, place, state: "sending" }]);
    try {
      const { id } = await transport.send(place, outgoing, `preview.${newId()}`);
      await this.#journal.append([{ type: "preview", session, place, state: "sent", as: id }]);
    } catch (error) {
      await this.#journal.append([{ type: "preview", session, place, state: "gone" }]);
      throw error;
    }
  }

  #deliver(answer: Answer): void {
    const lane = placeKey(answer.asked.place);
    this.#lanes
      .run(lane, async () => {
        for (let index = 0; index < answer.parts.length; index++) await this.#deliverPart(answer, index);
      })
      .catch((error) => {
        // It stays where it is for the next start.
        if (!this.#closing.signal.aborted) this.#note(answer.id, error);
      });
  }

  async #deliverPart(answer: Answer, index: number): Promise<void> {
    const { world } = this.#options;
    for (let attempt = 0; ; attempt++) {
      // Of a part that is split, the first of those that replace it comes next.
      const part = answer.parts[index];
      if (part === undefined || isSettled(part)) return;
      const transport = await this.#ready();
      if (world.now() - answer.at > OLDEST_MS) {
        await this.#keep([this.#outcome(answer.id, index, "refused", "it was not taken for a day")]);
        return;
      }
      await this.#slot();
      await this.#keep([
        ...(index === 0 ? this.#adoption(answer) : []),
        { type: "part", id: answer.id, index, state: "sending" },
      ]);
      const { record, afterMs } = await this.#send(transport, answer, index, part);
      await this.#keep([record]);
      if (record.type === "part" && record.state === "pending")
        await this.#sleep(afterMs + backoff(attempt, world));
    }
  }

  /** One request, and what is known of it afterwards. */
  async #send(
    transport: Transport,
    { id, asked: { place } }: Answer,
    index: number,
    { key, outgoing, edits }: Part,
  ): Promise<{ record: Extract<OutboxRecord, { type: "part" | "split" }>; afterMs: number }> {
    try {
      if (edits === undefined) await transport.send(place, outgoing, `${id}.${key}`);
      else if (transport.edit === undefined) throw new SendError("refused", "nothing can be edited");
      else await transport.edit(place, edits, outgoing);
      this.#count("sent");
      return { record: { type: "part", id, index, state: "sent" }, afterMs: 0 };
    } catch (error) {
      const why = wordsOf(error);
      const { fate = "unknown", afterMs = 0, instead = [] } = error instanceof SendError ? error : {};
      if (fate === "refused" && instead.length > 0) {
        this.#count("split");
        return { record: { type: "split", id, index, parts: instead }, afterMs: 0 };
      }
      const again = { type: "part", id, index, state: "pending" } as const;
      if (edits !== undefined) {
        return { record: fate === "refused" ? { ...again, anew: true } : again, afterMs };
      }
      if (fate === "later") {
        this.#count("later");
        return { record: again, afterMs };
      }
      return { record: this.#outcome(id, index, fate, why), afterMs: 0 };
    }
  }

  #adoption({ id, session, asked, parts }: Answer): OutboxRecord[] {
    const preview = session === undefined ? undefined : this.#state.previews.get(session);
    if (session === undefined || preview?.as === undefined) return [];
    const samePlace = placeKey(preview.place) === placeKey(asked.place);
    // Words cannot become a file.
    const { mediaUrl, mediaUrls } = parts[0]?.outgoing ?? {};
    const isText = mediaUrl === undefined && mediaUrls === undefined;
    if (samePlace && isText) return [{ type: "adopt", id, session }];
    return [{ type: "preview", session, place: preview.place, state: "gone" }];
  }

  #outcome(id: string, index: number, state: "unknown" | "refused", why: string) {
    const { notes, channel, account, world } = this.#options;
    this.#count(state);
    const words = state === "unknown" ? "may have been sent, or not" : "was not taken";
    notes.warn({ channel, account, answer: id, part: index, why }, `a part of an answer ${words}`);
    return { type: "part", id, index, state, why, at: world.now() } as const;
  }

  /** What happened has happened: it is written as soon as the disk takes it, and nothing is sent before that. */
  async #keep(records: readonly OutboxRecord[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#journal.append(records);
      } catch (error) {
        this.#note(undefined, error);
        await this.#sleep(backoff(attempt, this.#options.world));
      }
    }
  }

  /** Waits until the account may send again. */
  async #slot(): Promise<void> {
    const { traits, world } = this.#options;
    const now = world.now();
    const mine = Math.max(now, this.#nextSend);
    this.#nextSend = mine + (traits.sendEveryMs ?? 0);
    if (mine > now) await this.#sleep(mine - now);
  }

  async #ready(): Promise<Transport> {
    this.#closing.signal.throwIfAborted();
    return this.#transport ?? Promise.race([this.#connected, aborted(this.#closing.signal)]);
  }

  #sleep(ms: number): Promise<void> {
    return sleep(this.#options.world, ms, this.#closing.signal);
  }

  #count(outcome: string): void {
    const { metrics, channel, account } = this.#options;
    metrics.count("dragoman_channel_sends_total", { channel, account, outcome });
  }

  #note(answer: string | undefined, error: unknown): void {
    const { notes, channel, account } = this.#options;
    notes.error({ channel, account, answer, err: error }, "an answer cannot be sent");
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
