import type { Chat, Outgoing, Transport } from "../../../channels/types.js";
import { SendError } from "../../../channels/types.js";
import { backoff } from "../../../core/async/backoff.js";
import { sleep } from "../../../core/async/clock.js";
import { wordsOf } from "../../../core/error.js";
import { newId } from "../../../core/ids.js";
import type { Journal } from "../../../log/store.js";
import { type AccountJournalOptions, openAccountJournal } from "../account-journal.js";
import { Lanes } from "../lanes.js";
import { chatKey, readOutboxRecord } from "../read-record.js";
import type { OutboxRecord } from "../record-schema.js";
import { isSettled, type OutboxAnswer, OutboxState, type Part } from "./outbox-state.js";

/** Older answers are given up. */
const OLDEST_MS = 24 * 3_600_000;

type NewAnswer = Omit<Extract<OutboxRecord, { type: "answer" }>, "type" | "at">;

/** An answer, whether it is stored yet or not. */
type Answering = Pick<NewAnswer, "id" | "asked" | "session">;

/**
 * Answers to a platform, each sent once as far as can be known. Each is on disk before it is sent. Chats are independent, and
 * each keeps its order.
 */
export class Outbox {
  readonly #options: AccountJournalOptions;
  readonly #state: OutboxState;
  readonly #journal: Journal<OutboxRecord>;
  readonly #lanes = new Lanes();
  readonly #closing = new AbortController();
  readonly #connected: Promise<Transport>;
  #connect: (transport: Transport) => void = () => undefined;
  #transport: Transport | undefined;
  #nextSend = 0;
  #nextPreview = 0;

  private constructor(options: AccountJournalOptions, state: OutboxState, journal: Journal<OutboxRecord>) {
    this.#options = options;
    this.#state = state;
    this.#journal = journal;
    this.#connected = new Promise((resolve) => {
      this.#connect = resolve;
    });
  }

  /** Loads the journal and resolves sends that the last process left without an outcome. */
  static async open(options: AccountJournalOptions): Promise<Outbox> {
    const state = new OutboxState(options.world.now);
    const outbox = new Outbox(options, state, await openAccountJournal(options, state, readOutboxRecord));
    await outbox.#resolveInterrupted();
    for (const answer of [...state.answers.values()]) outbox.#deliver(answer);
    return outbox;
  }

  get state(): Pick<OutboxState, "followed" | "count" | "has" | "questions"> {
    return this.#state;
  }

  /** Starts sending. */
  connect(transport: Transport): void {
    this.#transport = transport;
    this.#connect(transport);
  }

  /** Resolves when the answer is on disk. Adding an answer twice has no effect. */
  async add(answer: NewAnswer): Promise<void> {
    const record: OutboxRecord = { type: "answer", at: this.#options.world.now(), ...answer };
    const known = this.#state.has(answer.id);
    if (!known && this.#canSendAtOnce(answer)) return this.#addAndSend(record, answer);
    await this.#journal.append([record]);
    const added = this.#state.answers.get(answer.id);
    if (!known && added !== undefined) this.#deliver(added);
  }

  record(record: Extract<OutboxRecord, { type: "follow" | "settled" }>): Promise<void> {
    return this.#journal.append([record]);
  }

  /** Whether answers can be shown while they are generated. */
  get canPreview(): boolean {
    return this.#transport?.edit !== undefined && this.#options.traits.editEveryMs !== undefined;
  }

  /** Shows an answer so far, unless the chat's lane is busy. Failures do not matter. */
  async preview(session: string, place: Chat, outgoing: Outgoing): Promise<"shown" | "busy" | "failed"> {
    const transport = this.#transport;
    const lane = chatKey(place);
    const { now } = this.#options.world;
    if (transport?.edit === undefined || this.#lanes.busy(lane) || now() < this.#nextPreview) return "busy";
    return this.#lanes.run(lane, async () => {
      try {
        await this.#waitForSlot();
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

  async typing(place: Chat): Promise<void> {
    try {
      await this.#transport?.typing?.(place);
    } catch {
      this.#count("typing_failed");
    }
  }

  /** Resolves when nothing is being sent. The rest stays for the next start. */
  async close(drainMs: number): Promise<void> {
    const { world } = this.#options;
    if (this.#transport !== undefined) await this.#lanes.idleWithin(world, drainMs);
    this.#closing.abort();
    await this.#lanes.idleWithin(world, drainMs);
    await this.#journal.close();
  }

  /** Retries interrupted edits, and messages if the platform deduplicates; other messages have an unknown outcome. */
  async #resolveInterrupted(): Promise<void> {
    const records: OutboxRecord[] = [];
    for (const { id, parts, replaces } of this.#state.answers.values()) {
      for (const [index, part] of parts.entries()) {
        if (part.state !== "sending") continue;
        const isEdit = part.edits !== undefined || (index === 0 && this.#canReplace(replaces));
        if (isEdit || this.#options.traits.repeatable === true)
          records.push({ type: "part", id, index, state: "pending" });
        else records.push(this.#failedPart(id, index, "unknown", "the process ended during the send"));
      }
    }
    for (const [session, { state, place }] of this.#state.previews) {
      if (state !== "sending") continue;
      this.#count("preview_unknown");
      records.push({ type: "preview", session, place, state: "gone" });
    }
    if (records.length > 0) await this.#journal.append(records);
  }

  async #beginPreview(transport: Transport, session: string, place: Chat, outgoing: Outgoing): Promise<void> {
    await this.#journal.append([{ type: "preview", session, place, state: "sending" }]);
    try {
      const { id } = await transport.send(place, outgoing, `preview.${newId()}`);
      await this.#journal.append([{ type: "preview", session, place, state: "sent", as: id }]);
    } catch (error) {
      await this.#journal.append([{ type: "preview", session, place, state: "gone" }]);
      throw error;
    }
  }

  /** Whether nothing has to be waited for: then one append records the answer and that its first part is being sent. */
  #canSendAtOnce({ asked: { place }, parts }: NewAnswer): boolean {
    if (this.#transport === undefined || parts.length === 0 || this.#closing.signal.aborted) return false;
    return !this.#lanes.busy(chatKey(place)) && this.#options.world.now() >= this.#nextSend;
  }

  #addAndSend(record: OutboxRecord, answer: NewAnswer): Promise<void> {
    this.#claimSlot();
    return new Promise((resolve, reject) => {
      this.#runInLane(answer, async () => {
        const stored = this.#journal.append([record, ...this.#beginning(answer, 0, answer.parts[0])]);
        stored.then(resolve, reject);
        await stored.catch(() => undefined);
        const added = this.#state.answers.get(answer.id);
        if (added !== undefined) await this.#deliverParts(added, true);
      });
    });
  }

  #deliver(answer: OutboxAnswer): void {
    this.#runInLane(answer, () => this.#deliverParts(answer));
  }

  #runInLane({ id, asked }: Answering, work: () => Promise<void>): void {
    this.#lanes.run(chatKey(asked.place), work).catch((error) => {
      // It stays for the next start.
      if (!this.#closing.signal.aborted) this.#logError(id, error);
    });
  }

  async #deliverParts(answer: OutboxAnswer, hasBegun = false): Promise<void> {
    for (let index = 0; index < answer.parts.length; index++)
      await this.#deliverPart(answer, index, hasBegun && index === 0);
  }

  /** @param hasBegun it is recorded that the part is being sent */
  async #deliverPart(answer: OutboxAnswer, index: number, hasBegun: boolean): Promise<void> {
    const { world } = this.#options;
    for (let attempt = 0; ; attempt++) {
      // After a split, this is the first replacement.
      const part = answer.parts[index];
      if (part === undefined || isSettled(part)) return;
      const transport = await this.#untilConnected();
      if (!hasBegun || attempt > 0) {
        if (world.now() - answer.at > OLDEST_MS) {
          const why = "it could not be sent for a day";
          await this.#persist([this.#failedPart(answer.id, index, "refused", why)]);
          return;
        }
        await this.#waitForSlot();
        await this.#persist(this.#beginning(answer, index, part.outgoing));
      }
      const { record, afterMs } = await this.#send(transport, answer, index, part);
      await this.#persist([record]);
      if (record.type === "part" && record.state === "pending")
        await this.#sleep(afterMs + backoff(attempt, world));
    }
  }

  /** The records that must be on disk before a part is sent. */
  #beginning(answer: Answering, index: number, outgoing: Outgoing | undefined): OutboxRecord[] {
    const adoption = index === 0 ? this.#adoption(answer, outgoing) : [];
    return [...adoption, { type: "part", id: answer.id, index, state: "sending" }];
  }

  /** Sends one request and returns the record of its outcome. */
  async #send(
    transport: Transport,
    { id, asked: { place }, question, replaces }: OutboxAnswer,
    index: number,
    { key, outgoing, ...part }: Part,
  ): Promise<{ record: Extract<OutboxRecord, { type: "part" | "split" }>; afterMs: number }> {
    const edits =
      index === 0 && this.#canReplace(replaces) ? this.#state.questions.get(replaces ?? "")?.as : part.edits;
    let as: string | undefined;
    try {
      if (edits === undefined) as = (await transport.send(place, outgoing, `${id}.${key}`)).id;
      else if (transport.edit === undefined)
        throw new SendError("refused", "the platform does not support edits");
      else await transport.edit(place, edits, outgoing);
      this.#count("sent");
      const shown = question === undefined || as === undefined ? {} : { as };
      return { record: { type: "part", id, index, state: "sent", ...shown }, afterMs: 0 };
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
      return { record: this.#failedPart(id, index, fate, why), afterMs: 0 };
    }
  }

  /** Whether the message of a permission request is there and can be edited. */
  #canReplace(question: string | undefined): boolean {
    const { editEveryMs } = this.#options.traits;
    return question !== undefined && editEveryMs !== undefined && this.#state.questions.has(question);
  }

  #adoption({ id, session, asked }: Answering, outgoing: Outgoing | undefined): OutboxRecord[] {
    const preview = session === undefined ? undefined : this.#state.previews.get(session);
    if (session === undefined || preview?.as === undefined) return [];
    const samePlace = chatKey(preview.place) === chatKey(asked.place);
    // A text message cannot be edited into a file.
    const { mediaUrl, mediaUrls } = outgoing ?? {};
    const isText = mediaUrl === undefined && mediaUrls === undefined;
    if (samePlace && isText) return [{ type: "adopt", id, session }];
    return [{ type: "preview", session, place: preview.place, state: "gone" }];
  }

  #failedPart(id: string, index: number, state: "unknown" | "refused", why: string) {
    const { logger, channel, account, world } = this.#options;
    this.#count(state);
    const outcome = state === "unknown" ? "may or may not have been sent" : "was not sent";
    logger.warn({ channel, account, answer: id, part: index, why }, `part of an answer ${outcome}`);
    return { type: "part", id, index, state, why, at: world.now() } as const;
  }

  /** Retries until the records are on disk; nothing is sent before that. */
  async #persist(records: readonly OutboxRecord[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#journal.append(records);
      } catch (error) {
        this.#logError(undefined, error);
        await this.#sleep(backoff(attempt, this.#options.world));
      }
    }
  }

  /** Waits until the account may send again. */
  async #waitForSlot(): Promise<void> {
    const waitMs = this.#claimSlot();
    if (waitMs > 0) await this.#sleep(waitMs);
  }

  /** Returns how long to wait. */
  #claimSlot(): number {
    const { traits, world } = this.#options;
    const now = world.now();
    const mine = Math.max(now, this.#nextSend);
    this.#nextSend = mine + (traits.sendEveryMs ?? 0);
    return mine - now;
  }

  async #untilConnected(): Promise<Transport> {
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

  #logError(answer: string | undefined, error: unknown): void {
    const { logger, channel, account } = this.#options;
    logger.error({ channel, account, answer, err: error }, "could not send an answer");
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
