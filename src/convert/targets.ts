import type { Dialect } from "../core/dialect.js";
import type { Loss } from "../core/types.js";
import { convertDry } from "./convert.js";
import { load } from "./detect.js";
import { dialects } from "./dialects.js";
import { type LossKind, LossSummary } from "./loss-summary.js";

/** What a dialect would lose of a transcript. */
export interface Target {
  dialect: string;
  title: string;
  losses: LossSummary["counts"];
  total: number;
  /** The most important kinds. */
  kinds: LossKind[];
}

export interface CompareOptions {
  from: Dialect;
  to: Dialect;
  /** The last message of the branch that a dialect without branches would get. */
  leaf?: string;
  /** Losses of the source itself, which every target has. */
  missing?: () => readonly Loss[];
  /** Called with the number of messages. */
  onMessages?: (messages: number) => void;
}

/** How many kinds of losses are named for each target. */
const KINDS = 3;

/** What every dialect that can be written would lose, one after another. Sort them with `byLosses`. */
export async function* compareTargets(
  open: () => AsyncIterable<Uint8Array>,
  options: Omit<CompareOptions, "to">,
): AsyncGenerator<Target> {
  for (const { name, writes } of await dialects()) {
    if (writes) yield compareTarget(open, { ...options, to: await load(name) });
  }
}

/** What a dialect would lose. */
export async function compareTarget(
  open: () => AsyncIterable<Uint8Array>,
  { from, to, leaf, missing, onMessages }: CompareOptions,
): Promise<Target> {
  const summary = new LossSummary();
  const branch = leaf === undefined ? {} : { leaf };
  const messages = await convertDry(open, { from, to, ...branch, onLoss: (loss) => summary.add(loss) });
  for (const loss of missing?.() ?? []) summary.add(loss);
  onMessages?.(messages);
  const { counts: losses, total } = summary;
  return { dialect: to.name, title: to.title, losses, total, kinds: summary.kinds(KINDS) };
}

/** The target with the smallest losses first. */
export function byLosses({ losses: a }: Target, { losses: b }: Target): number {
  return a.dropped - b.dropped || a.approximated - b.approximated || a.synthesised - b.synthesised;
}
