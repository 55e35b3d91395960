import type { Loss } from "../../core/types.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { reportLine } from "../terminal/report-line.js";
import { format, table } from "../terminal/table.js";

type Severity = Loss["severity"];
const severities = ["dropped", "approximated", "synthesised"] as const;
const colours = { dropped: "red", approximated: "yellow", synthesised: "cyan" } as const;

/** A kind of loss, and how often it occurred. */
export interface LossKind {
  severity: Severity;
  what: string;
  why: string;
  count: number;
}

interface Kind extends LossKind {
  /** Shown in full while it is the only one. */
  first: Loss;
}

/** Bounds the memory, whatever the size of the transcript. */
const MAX_KINDS = 1000;

/** Counts losses by kind. */
export class LossSummary {
  readonly #counts: Record<Severity, number> = { dropped: 0, approximated: 0, synthesised: 0 };
  readonly #kinds = new Map<string, Kind>();

  add(loss: Loss): void {
    const { severity, what, why } = loss;
    this.#counts[severity]++;
    const kind = { severity, what: withoutValues(what.replace(/ \(.*$/s, "")), why: withoutValues(why) };
    const key = JSON.stringify(kind);
    const known = this.#kinds.get(key);
    if (known !== undefined) known.count++;
    else if (this.#kinds.size < MAX_KINDS) this.#kinds.set(key, { ...kind, count: 1, first: loss });
  }

  get counts(): Readonly<Record<Severity, number>> {
    return this.#counts;
  }

  get total(): number {
    return severities.reduce((sum, severity) => sum + this.#counts[severity], 0);
  }

  /** `losses: 3 dropped, 0 approximated, 12 synthesised`, or `no losses`. */
  line(): string {
    if (this.total === 0) return "no losses";
    return `losses: ${severities.map((severity) => `${format(this.#counts[severity])} ${severity}`).join(", ")}`;
  }

  /** The kinds of losses: dropped ones first, whole messages and content before fields, then the most frequent. */
  kinds(limit: number): LossKind[] {
    return severities
      .flatMap((severity) =>
        [...this.#kinds.values()]
          .filter((kind) => kind.severity === severity)
          .sort((a, b) => scopeOf(b) - scopeOf(a) || b.count - a.count),
      )
      .slice(0, limit)
      .map(({ first, ...kind }) => (kind.count === 1 ? { ...kind, what: first.what, why: first.why } : kind));
  }

  /** The same as a table, and how many losses its rows leave out. */
  rows(limit: number, paint: Paint): { rows: string[]; more: number } {
    const kinds = this.kinds(limit);
    const rows = table(
      kinds.map(({ severity, count, what, why }) => [
        `  ${paint(colours[severity], severity)}`,
        `${format(count)} ×`,
        what,
        paint("dim", why),
      ]),
    );
    return { rows, more: kinds.reduce((left, { count }) => left - count, this.total) };
  }
}

const ROWS = 8;

/** Prints the most important kinds of losses, and how to get them all. */
export function reportLosses(summary: LossSummary, all: string, noColour: boolean | undefined): void {
  const { rows, more } = summary.rows(ROWS, painter(wantsColour(process.stderr, process.env, noColour)));
  for (const row of rows) reportLine(row);
  if (more > 0) reportLine(`  … and ${format(more)} more; ${all} writes all`);
}

/** Larger for messages and content than for fields. */
function scopeOf({ first: { of } }: Kind): number {
  return of === undefined ? 0 : 1;
}

/** `content.0.text` and `content.1.text` are one kind of loss. */
function withoutValues(text: string): string {
  return text.replace(/(?<=^|[ .])-?\d[^ .]*/g, "*");
}
