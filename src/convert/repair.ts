import type { Problem } from "../core/dialect.js";
import { type DialectName, loadApi } from "../dialects/registry.js";
import type { Provider } from "./check.js";
import { detectOne, load } from "./detect.js";
import type { Change, Unplaced } from "./fixes/journal.js";
import { bytesOf } from "./input.js";

export type { Change, Unplaced };

export interface RepairOptions {
  /** Found out by looking at the input unless given. */
  from?: DialectName;
  /** Also corrects what this API would refuse, where there is one right way to. */
  for?: Provider;
}

export interface Repaired {
  /** In the dialect of the input; identical to it when there was nothing to repair. */
  output: string;
  from: DialectName;
  changes: Change[];
  /** What has no right place in the output, and is not in it. */
  unplaced: Unplaced[];
  /** What was left as it is, and why. */
  notes: Problem[];
}

/**
 * Corrects what has one right correction, and says what it did. The input is not touched, and nothing disappears: what
 * cannot stay is in `unplaced`, or in the `before` of a change.
 *
 * @example
 * const { output, changes, unplaced } = await repair(text);
 */
export async function repair(input: string | Uint8Array, options: RepairOptions = {}): Promise<Repaired> {
  const bytes = bytesOf(input);
  const from = options.from ?? (await detectOne(bytes));
  // The fixes are many files, which a program that never repairs anything need not load.
  const { repairBytes } = await import("./repair-bytes.js");
  const api = options.for && (await loadApi(options.for));
  const repaired = { from, ...repairBytes(bytes, await load(from), api) };
  const isUntouched = repaired.changes.length === 0 && repaired.unplaced.length === 0;
  return isUntouched && typeof input === "string" ? { ...repaired, output: input } : repaired;
}
