import type { Loss } from "../core/types.js";

type Severity = Loss["severity"];

/** From the worst to the least. */
export const severities = ["dropped", "approximated", "synthesised"] as const;

/** A kind of loss, and how often it occurred. */
export interface LossKind {
  severity: Severity;
  what: string;
  why: string;
  count: number;
}

/** A kind with its first losses. */
export interface LossGroup extends LossKind {
  losses: Loss[];
}

/** Bounds the memory, whatever the size of the transcript. */
const MAX_KINDS = 1000;

/**
 * Counts losses by kind.
 *
 * @example
 * const summary = new LossSummary();
 * await convert(text, { to: "cline", onLoss: (loss) => summary.add(loss) });
 * console.log(summary.total, summary.kinds(5));
 */
export class LossSummary {
  readonly #counts: Record<Severity, number> = { dropped: 0, approximated: 0, synthesised: 0 };
  readonly #groups = new Map<string, LossGroup>();
  /** The same by reason and field, with values: a conversion has the same losses for each of its messages. */
  readonly #texts: Record<Severity, Map<string, Map<string, LossGroup>>> = {
    dropped: new Map(),
    approximated: new Map(),
    synthesised: new Map(),
  };
  #textCount = 0;
  readonly #kept: number;

  /** `kept` losses of each kind are kept; the others are only counted. */
  constructor(kept = 1) {
    this.#kept = kept;
  }

  add(loss: Loss): void {
    this.#counts[loss.severity]++;
    const known = this.#find(loss);
    if (known === undefined) return;
    known.count++;
    if (known.losses.length < Math.max(1, this.#kept)) known.losses.push(loss);
  }

  /** The group of a loss; undefined if there are too many. */
  #find({ severity, what, why }: Loss): LossGroup | undefined {
    const value = what.indexOf(" (");
    const field = value < 0 ? what : what.slice(0, value);
    const fields = this.#texts[severity].get(why);
    const known = fields?.get(field);
    if (known !== undefined) return known;
    const kind = { severity, what: withoutValues(field), why: withoutValues(why) };
    const key = JSON.stringify(kind);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= MAX_KINDS) return undefined;
      group = { ...kind, count: 0, losses: [] };
      this.#groups.set(key, group);
    }
    if (this.#textCount++ >= MAX_KINDS) return group;
    if (fields === undefined) this.#texts[severity].set(why, new Map([[field, group]]));
    else fields.set(field, group);
    return group;
  }

  get counts(): Readonly<Record<Severity, number>> {
    return this.#counts;
  }

  get total(): number {
    return severities.reduce((sum, severity) => sum + this.#counts[severity], 0);
  }

  /** The kinds of losses: dropped ones first, whole messages and content before fields, then the most frequent. */
  kinds(limit: number): LossKind[] {
    return this.groups(limit).map(({ losses: _, ...kind }) => kind);
  }

  /** The same with the losses that were kept. */
  groups(limit: number): LossGroup[] {
    return severities
      .flatMap((severity) =>
        [...this.#groups.values()]
          .filter((group) => group.severity === severity)
          .sort((a, b) => scopeOf(b) - scopeOf(a) || b.count - a.count),
      )
      .slice(0, limit)
      .map((group) => {
        const [first] = group.losses;
        return group.count > 1 || first === undefined
          ? group
          : { ...group, what: first.what, why: first.why };
      });
  }
}

/** Larger for messages and content than for fields. */
function scopeOf({ losses: [first] }: LossGroup): number {
  return first?.of === undefined ? 0 : 1;
}

/** `content.0.text` and `content.1.text` are one kind of loss. */
function withoutValues(text: string): string {
  return text.replace(/(?<=^|[ .])-?\d[^ .]*/g, "*");
}
