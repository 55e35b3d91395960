/** A tool call or a tool result, and where it was seen. */
export interface Half<S> {
  id: string;
  name: string;
  spot: S;
}

export type Verdict<S> =
  | { kind: "answered"; call: Half<S>; result: Half<S>; when: "in time" | "early" | "late" }
  | { kind: "unanswered"; call: Half<S> }
  | { kind: "duplicate id"; call: Half<S> }
  | { kind: "duplicate result"; result: Half<S> }
  | { kind: "orphan result"; result: Half<S> };

interface Open<S> extends Half<S> {
  turn: number;
  answered: boolean;
}

/**
 * Finds the call that each result answers; `check` names what is out of order, and `repair` puts it in order.
 *
 * A result answers the nearest call before it that has its id and no result yet; calls of one message that share an id
 * are answered in their order. It is in time when no user or assistant message stands between. Ids need not be
 * unique, or there at all: a result without an id answers a call without one, or the only call that is open.
 *
 * What it remembers grows with the number of ids, not with what is said.
 */
export class Pairing<S> {
  /** Applied to the spot of what must be remembered beyond the next message. */
  readonly #settle: (spot: S) => S;
  readonly #known = new Set<string>();
  readonly #open = new Map<string, Open<S>[]>();
  /** Results whose call has not been seen, by id. */
  readonly #early = new Map<string, Half<S>[]>();
  #current: Open<S>[] = [];
  #turn = 0;

  constructor(settle: (spot: S) => S = (spot) => spot) {
    this.#settle = settle;
  }

  /** A user or assistant message, with the calls it makes. */
  *turn(calls: readonly Half<S>[]): Generator<Verdict<S>> {
    yield* this.#endTurn();
    this.#turn++;
    this.#current = calls.map((call) => ({ ...call, turn: this.#turn, answered: false }));
    for (const call of this.#current) {
      if (call.id !== "" && this.#known.has(call.id)) yield { kind: "duplicate id", call };
      if (call.id !== "") this.#known.add(call.id);
      append(this.#open, call);
    }
  }

  *result(result: Half<S>): Generator<Verdict<S>> {
    const call = this.#callFor(result);
    if (call !== undefined) {
      this.#close(call);
      yield { kind: "answered", call, result, when: call.turn === this.#turn ? "in time" : "late" };
    } else if (this.#known.has(result.id)) {
      yield { kind: "duplicate result", result };
    } else if (result.id === "") {
      yield { kind: "orphan result", result };
    } else {
      append(this.#early, { ...result, spot: this.#settle(result.spot) });
    }
  }

  *finish(): Generator<Verdict<S>> {
    yield* this.#endTurn();
    for (const calls of this.#open.values()) for (const call of calls) yield { kind: "unanswered", call };
    for (const results of this.#early.values()) {
      for (const result of results) yield { kind: "orphan result", result };
    }
  }

  /** Only here an early result is given to a call: the ids of some systems recur, and a result in time comes first. */
  *#endTurn(): Generator<Verdict<S>> {
    for (const call of this.#current) {
      if (call.answered) continue;
      call.spot = this.#settle(call.spot);
      const result = this.#early.get(call.id)?.shift();
      if (result === undefined) continue;
      this.#close(call);
      yield { kind: "answered", call, result, when: "early" };
    }
    this.#current = [];
  }

  #callFor({ id, name }: Half<S>): Open<S> | undefined {
    const open = this.#open.get(id) ?? [];
    let nearest = open.at(-1);
    for (let index = open.length - 2; open[index]?.turn === nearest?.turn && index >= 0; index--) {
      nearest = open[index];
    }
    if (nearest !== undefined || id !== "") return nearest;
    const unanswered = this.#current.filter((call) => !call.answered);
    const [only] = unanswered;
    return unanswered.length === 1 && (name === "" || only?.name === name) ? only : undefined;
  }

  #close(call: Open<S>): void {
    call.answered = true;
    const open = this.#open.get(call.id) ?? [];
    open.splice(open.lastIndexOf(call), 1);
    if (open.length === 0) this.#open.delete(call.id);
  }
}

function append<T extends { id: string }>(map: Map<string, T[]>, value: T): void {
  const sofar = map.get(value.id);
  if (sofar === undefined) map.set(value.id, [value]);
  else sofar.push(value);
}
