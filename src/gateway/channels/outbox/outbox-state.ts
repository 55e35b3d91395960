import type { Chat, Outgoing } from "../../../channels/types.js";
import { defined } from "../../../core/json/defined.js";
import type { Position } from "../../../log/types.js";
import type { OutboxRecord, PartState, ReplyTarget } from "../record-schema.js";

/** Ids of finished answers, so that none is added twice. */
const MOST_REMEMBERED = 1000;
/** How long, and how many, failed sends are shown. */
const SHOWN_MS = 7 * 24 * 3_600_000;
const MOST_SHOWN = 200;
/** Permission requests in chats; older ones are not edited and cannot be replied to any more. */
const MOST_QUESTIONS = 200;

export interface Part {
  /** Unique within the answer, and the same for each retry. */
  key: string;
  outgoing: Outgoing;
  state: PartState;
  /** The id of the sent message that this part replaces. */
  edits?: string | undefined;
  /** Why it was not sent, or may not have been sent. */
  trouble?: { why: string; at: number };
}

export interface OutboxAnswer {
  id: string;
  at: number;
  asked: ReplyTarget;
  session?: string;
  question?: string;
  isForm?: true;
  replaces?: string;
  parts: Part[];
}

export interface Followed {
  from: Position;
  asked?: ReplyTarget | undefined;
}

export interface Preview {
  place: Chat;
  state: "sending" | "sent";
  as?: string;
}

/** A permission request in a chat. */
export interface ShownQuestion {
  session: string;
  place: Chat;
  /** The platform's id of its message. */
  as: string;
  /** Any reply to its message is an answer. */
  isForm?: true;
}

type Trouble = Extract<OutboxRecord, { type: "trouble" }>;

export function isSettled({ state }: Part): boolean {
  return state === "sent" || state === "unknown" || state === "refused";
}

/** An account's outgoing answers, rebuilt from its journal. */
export class OutboxState {
  readonly followed = new Map<string, Followed>();
  readonly answers = new Map<string, OutboxAnswer>();
  readonly previews = new Map<string, Preview>();
  /** Permission requests that chats show, by id. */
  readonly questions = new Map<string, ShownQuestion>();
  readonly #remembered = new Set<string>();
  #troubles: Trouble[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  has(id: string): boolean {
    return this.answers.has(id) || this.#remembered.has(id);
  }

  count(state: "unsent" | "unknown" | "refused"): number {
    if (state !== "unsent") return this.#recentTroubles().filter((trouble) => trouble.state === state).length;
    const parts = [...this.answers.values()].flatMap((answer) => answer.parts);
    return parts.filter((part) => !isSettled(part)).length;
  }

  apply(record: OutboxRecord): void {
    switch (record.type) {
      case "follow":
        this.followed.set(record.session, { from: record.from, asked: record.asked });
        return;
      case "settled":
        this.followed.delete(record.session);
        // An answer that will replace the preview may still be pending.
        if (![...this.answers.values()].some(({ session }) => session === record.session)) {
          this.previews.delete(record.session);
        }
        return;
      case "answer":
        this.#addAnswer(record);
        return;
      case "split":
        this.#split(record);
        return;
      case "part":
        this.#changePart(record);
        return;
      case "preview": {
        const { session, place, state, as } = record;
        if (state === "gone") this.previews.delete(session);
        else this.previews.set(session, defined({ place, state, as }));
        return;
      }
      case "question": {
        const { type: _, id, ...shown } = record;
        this.questions.set(id, shown);
        const [oldest] = this.questions.keys();
        if (this.questions.size > MOST_QUESTIONS && oldest !== undefined) this.questions.delete(oldest);
        return;
      }
      case "adopt":
        this.#adopt(record);
        return;
      case "trouble":
        this.#troubles = [...this.#recentTroubles(), record].slice(-MOST_SHOWN);
        return;
      case "remember":
        for (const id of record.ids) this.#remember(id);
    }
  }

  *snapshot(): Generator<OutboxRecord> {
    yield { type: "remember", ids: [...this.#remembered] };
    // The parts of unfinished answers include their own.
    yield* this.#recentTroubles().filter(({ id }) => !this.answers.has(id));
    for (const { parts, ...answer } of this.answers.values()) {
      const keys = parts.map(({ key }) => key);
      const isSplit = keys.some((key, index) => key !== String(index));
      const outgoing = parts.map((part) => part.outgoing);
      yield { type: "answer", ...answer, parts: outgoing, ...(isSplit ? { keys } : {}) };
      const [first] = parts;
      if (first?.edits !== undefined && answer.session !== undefined) {
        const { asked, session, id } = answer;
        yield { type: "preview", session, place: asked.place, state: "sent", as: first.edits };
        yield { type: "adopt", id, session };
      }
      for (const [index, { state, trouble }] of parts.entries()) {
        if (state !== "pending") yield { type: "part", id: answer.id, index, state, ...trouble };
      }
    }
    for (const [id, question] of this.questions) yield { type: "question", id, ...question };
    for (const [session, preview] of this.previews) yield { type: "preview", session, ...preview };
    for (const [session, followed] of this.followed) yield defined({ type: "follow", session, ...followed });
  }

  #addAnswer(record: Extract<OutboxRecord, { type: "answer" }>): void {
    const { id, at, asked, session, next, question, isForm, replaces, keys = [] } = record;
    if (session !== undefined && next !== undefined) this.followed.set(session, { from: next, asked });
    if (this.has(id)) return;
    const parts = record.parts.map(
      (outgoing, n): Part => ({ key: keys[n] ?? String(n), outgoing, state: "pending" }),
    );
    this.answers.set(id, defined({ id, at, asked, session, question, isForm, replaces, parts }));
  }

  #split({ id, index, parts }: Extract<OutboxRecord, { type: "split" }>): void {
    const answer = this.answers.get(id);
    const part = answer?.parts[index];
    if (part === undefined) return;
    const instead = parts.map(
      (outgoing, n): Part => ({ key: `${part.key}.${n}`, outgoing, state: "pending" }),
    );
    answer?.parts.splice(index, 1, ...instead);
  }

  #changePart(record: Extract<OutboxRecord, { type: "part" }>): void {
    const { id, index, state, why = "", at = this.#now(), anew, as } = record;
    const answer = this.answers.get(id);
    const part = answer?.parts[index];
    if (answer === undefined || part === undefined) return;
    part.state = state;
    if (anew === true) part.edits = undefined;
    if (anew === true) delete answer.replaces;
    const { question, session, asked, isForm } = answer;
    if (question !== undefined && session !== undefined && as !== undefined)
      this.apply({ type: "question", id: question, session, place: asked.place, as, ...defined({ isForm }) });
    if (state === "unknown" || state === "refused") {
      part.trouble = { why, at };
      this.apply({ type: "trouble", id, state, ...part.trouble });
    }
    if (!answer.parts.every(isSettled)) return;
    this.answers.delete(id);
    if (answer.replaces !== undefined) this.questions.delete(answer.replaces);
    this.#remember(id);
  }

  #adopt({ id, session }: { id: string; session: string }): void {
    const [first] = this.answers.get(id)?.parts ?? [];
    const as = this.previews.get(session)?.as;
    this.previews.delete(session);
    if (first !== undefined) first.edits = as;
  }

  #recentTroubles(): Trouble[] {
    const horizon = this.#now() - SHOWN_MS;
    return this.#troubles.filter(({ at }) => at >= horizon);
  }

  #remember(id: string): void {
    this.#remembered.add(id);
    const [oldest] = this.#remembered;
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
