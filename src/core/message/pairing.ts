/** A tool call or a tool result, and where it was seen. */
export interface Half<S> {
  id: string;
  name: string;
  spot: S;
  /** For a result: the tool is still running, so another result follows. */
  isPending?: boolean;
}

/** Where a result is: among those right after its call, before its call, or after another message. */
export type When = "in time" | "early" | "late";

export type Verdict<S> =
  | { kind: "answered" | "pending"; call: Half<S>; result: Half<S>; when: When }
  | { kind: "unanswered"; call: Half<S> }
  | { kind: "duplicate id"; call: Half<S> }
  | { kind: "duplicate result"; result: Half<S> }
  | { kind: "orphan result"; result: Half<S> };

interface Open<S> extends Half<S> {
  turn: number;
}

/**
 * Finds the call that each result answers; `check` reports what is out of order, and `repair` fixes it.
 *
 * A result answers the nearest call before it that has its id and no result yet; calls of one message that share an id
 * are answered in their order. It is in time if no user or assistant message is in between. Ids may repeat or be
 * missing: a result without an id answers a call without one, or the only open call.
 *
 * A pending result answers nothing. It belongs to the call that the next final result with its id answers, if any.
 *
 * Its memory grows with the number of ids, not with the size of the messages.
 */
export class Pairing<S> {
  /** Applied to the spots that must be remembered beyond the next message. */
  readonly #retain: (spot: S) => S;
  readonly #known = new Set<string>();
  /** Calls without a result, in their order. */
  readonly #open = new Set<Open<S>>();
  /** The same by id, the call that the next result answers last: later turns after earlier ones, each turn reversed. */
  readonly #waiting = new Map<string, Open<S>[]>();
  /** Results whose call has not been seen, by id. */
  readonly #early = new Map<string, Half<S>[]>();
  /** Open calls of this turn. */
  readonly #current = new Set<Open<S>>();
  #turn = 0;

  constructor(retain: (spot: S) => S = (spot) => spot) {
    this.#retain = retain;
  }

  /** A user or assistant message, with the calls it makes. */
  *turn(calls: readonly Half<S>[]): Generator<Verdict<S>> {
    yield* this.#endTurn();
    this.#turn++;
    const made = calls.map((call) => ({ ...call, turn: this.#turn }));
    for (const call of made) {
      if (call.id !== "" && this.#known.has(call.id)) yield { kind: "duplicate id", call };
      if (call.id !== "") this.#known.add(call.id);
      this.#open.add(call);
      this.#current.add(call);
    }
    for (const call of made.reverse()) append(this.#waiting, call);
  }

  *result(result: Half<S>): Generator<Verdict<S>> {
    const call = this.#callFor(result);
    if (call !== undefined) {
      yield this.#answer(call, result, call.turn === this.#turn ? "in time" : "late");
    } else if (this.#known.has(result.id)) {
      yield { kind: "duplicate result", result };
    } else if (result.id === "") {
      yield { kind: "orphan result", result };
    } else {
      append(this.#early, { ...result, spot: this.#retain(result.spot) });
    }
  }

  *finish(): Generator<Verdict<S>> {
    yield* this.#endTurn();
    for (const call of this.#open) yield { kind: "unanswered", call };
    for (const results of this.#early.values()) {
      for (const result of results) yield { kind: "orphan result", result };
    }
  }

  /** Early results are paired only here: some systems reuse ids, and a result in time takes precedence. */
  *#endTurn(): Generator<Verdict<S>> {
    for (const call of this.#current) {
      call.spot = this.#retain(call.spot);
      const early = this.#early.get(call.id);
      while (this.#open.has(call)) {
        const result = early?.shift();
        if (result === undefined) break;
        yield this.#answer(call, result, "early");
      }
    }
    this.#current.clear();
  }

  #answer(call: Open<S>, result: Half<S>, when: When): Verdict<S> {
    if (result.isPending === true) return { kind: "pending", call, result, when };
    this.#close(call);
    return { kind: "answered", call, result, when };
  }

  #callFor({ id, name }: Half<S>): Open<S> | undefined {
    const nearest = this.#waiting.get(id)?.at(-1);
    if (nearest !== undefined || id !== "" || this.#current.size !== 1) return nearest;
    const [only] = this.#current;
    return name === "" || only?.name === name ? only : undefined;
  }

  /** The call is always the last one waiting with its id. */
  #close(call: Open<S>): void {
    this.#open.delete(call);
    this.#current.delete(call);
    const waiting = this.#waiting.get(call.id);
    waiting?.pop();
    if (waiting?.length === 0) this.#waiting.delete(call.id);
  }
}

function append<T extends { id: string }>(map: Map<string, T[]>, value: T): void {
  const sofar = map.get(value.id);
  if (sofar === undefined) map.set(value.id, [value]);
  else sofar.push(value);
}
