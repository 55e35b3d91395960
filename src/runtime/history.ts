import { DragomanError } from "../core/error.js";
import { idsOf, metaOf, noteOf, type SessionMeta } from "../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import { shortened } from "../log/refusals.js";
import type { AppendOptions, Entry, Position, SessionLog } from "../log/types.js";
import { causesOf } from "./losses.js";
import { payerOf, sentMark } from "./sent-mark.js";
import type { Accepted } from "./types.js";

const LOST: ReadonlySet<string> = new Set(["log/deleted", "log/replaced"]);

/** A session's messages, read incrementally. */
export class History {
  readonly #session: SessionLog;
  readonly #onRead: () => void;
  readonly #messages: AgentMessage[] = [];
  readonly #places = new Map<string, { position: Position; next: Position }>();
  readonly #sent = new Map<string, Accepted>();
  readonly #queued = new Map<string, UserMessage>();
  readonly #meta: SessionMeta = {};
  readonly #causes = new Set<string>();
  #position: Position = 0;
  /** The latest time of any message; the last note may be older, if another process wrote it. */
  #latest = 0;
  #lost = false;

  /** @param onRead called before each read */
  constructor(session: SessionLog, onRead: () => void) {
    this.#session = session;
    this.#onRead = onRead;
  }

  /** Another program has deleted, replaced or shortened the file: the session has to be opened again. */
  get lost(): boolean {
    return this.#lost;
  }

  async read(): Promise<readonly AgentMessage[]> {
    this.#onRead();
    try {
      for await (const entry of this.#session.read({ from: this.#position })) this.#apply(entry);
    } catch (error) {
      throw this.#noticeLoss(error);
    }
    return this.#messages;
  }

  async append(
    messages: readonly AgentMessage[],
    options: Pick<AppendOptions, "under"> = {},
  ): Promise<readonly AgentMessage[]> {
    const appended = await this.#session.append(this.#inOrder(messages), options).catch((error: unknown) => {
      throw this.#noticeLoss(error);
    });
    const { messages: stored, position, next } = appended;
    const [message, ...others] = stored;
    // Only the log knows the positions of several messages, and another process may have appended a note before them.
    if (message !== undefined && others.length === 0 && position === this.#position) {
      this.#apply({ message, position, next });
    } else {
      await this.read();
    }
    return stored;
  }

  /** If a position that was read is no longer in the file, the file was shortened; the caller gave no position. */
  #noticeLoss(error: unknown): unknown {
    if (!(error instanceof DragomanError)) return error;
    const shorter = error.code === "log/bad-position";
    this.#lost ||= shorter || LOST.has(error.code);
    return shorter ? shortened(this.#session.id, error) : error;
  }

  /** Queued messages are older than the messages they follow. Their backlog notes keep the time they were sent. */
  #inOrder(messages: readonly AgentMessage[]): AgentMessage[] {
    const latest = this.#latest;
    return messages.map((message) =>
      message.role === "user" && message.timestamp < latest ? { ...message, timestamp: latest } : message,
    );
  }

  /** The last message that is part of the conversation. */
  get lastId(): string | undefined {
    return this.#messages.findLast((message) => noteOf(message) === undefined)?.id;
  }

  /** Whether an answer follows a message, possibly after notes or a compaction. */
  isAnswered(id: string | undefined): boolean {
    const index = this.#messages.findLastIndex((message) => message.id === id);
    return this.#messages.findLastIndex(({ role }) => role === "assistant") > index;
  }

  /** Accepted messages that are not in the transcript yet. */
  get queued(): UserMessage[] {
    return [...this.#queued.values()];
  }

  get payer(): string {
    return payerOf(this.#messages);
  }

  get meta(): SessionMeta {
    return this.#meta;
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  placeOf({ id }: AgentMessage): { position: Position; next: Position } | undefined {
    return id === undefined ? undefined : this.#places.get(id);
  }

  /** The message that was sent with this key, and the run that accepted it. */
  findSent(idempotencyKey: string): Accepted | undefined {
    return this.#sent.get(idempotencyKey);
  }

  /** Whether another message with the same key counts: the one in the transcript, or else the first. */
  isDuplicate(message: UserMessage): boolean {
    const sent = sentIn(message);
    const accepted = sent === undefined ? undefined : this.#sent.get(sent.idempotencyKey);
    return accepted !== undefined && accepted.message.id !== message.id;
  }

  /** True if no loss with this cause is in the log yet. From here on the cause counts as recorded. */
  claimCause(cause: string): boolean {
    const isNew = !this.#causes.has(cause);
    this.#causes.add(cause);
    return isNew;
  }

  /** Undoes claims whose losses could not be stored. */
  releaseCauses(causes: readonly string[]): void {
    for (const cause of causes) this.#causes.delete(cause);
  }

  #apply({ message, position, next }: Entry): void {
    // A concurrent read was faster.
    if (position < this.#position) return;
    this.#messages.push(message);
    this.#latest = Math.max(this.#latest, message.timestamp);
    if (message.id !== undefined) this.#places.set(message.id, { position, next });
    Object.assign(this.#meta, metaOf([message]));
    this.#index(message);
    this.#position = next;
  }

  #index(message: AgentMessage): void {
    const note = noteOf(message);
    if (note?.type === "dragoman/losses") for (const cause of causesOf(note.data)) this.#causes.add(cause);
    const user = note?.type === "dragoman/inbox" ? note.data.message : message;
    if (user.role !== "user" || user.id === undefined) return;
    const sent = sentIn(user);
    const before = sent === undefined ? undefined : this.#sent.get(sent.idempotencyKey);
    if (user !== message) {
      if (before !== undefined) return;
      this.#queued.set(user.id, user);
    } else {
      const others = before === undefined ? [] : [before.message.id];
      for (const id of [...idsOf(user), ...others]) this.#queued.delete(id);
    }
    if (sent === undefined) return;
    this.#sent.set(sent.idempotencyKey, { message: { ...user, id: user.id }, runId: sent.runId });
  }
}

function sentIn(message: UserMessage): { idempotencyKey: string; runId: string } | undefined {
  const { idempotencyKey, runId } = sentMark(message);
  return idempotencyKey === undefined || runId === undefined ? undefined : { idempotencyKey, runId };
}
