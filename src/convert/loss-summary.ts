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
  readonly #kept: number;

  /** `kept` losses of each kind are kept; the others are only counted. */
  constructor(kept = 1) {
    this.#kept = kept;
  }

  add(loss: Loss): void {
    const { severity, what, why } = loss;
    this.#counts[severity]++;
    const kind = { severity, what: withoutValues(what.replace(/ \(.*$/s, "")), why: withoutValues(why) };
    const key = JSON.stringify(kind);
    const known = this.#groups.get(key);
    if (known === undefined) {
      if (this.#groups.size < MAX_KINDS) this.#groups.set(key, { ...kind, count: 1, losses: [loss] });
      return;
    }
    known.count++;
    if (known.losses.length < this.#kept) known.losses.push(loss);
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
