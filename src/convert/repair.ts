import type { Problem } from "../core/dialect.js";
import { type DialectName, loadApi } from "../dialects/registry.js";
import type { Provider } from "./check.js";
import { detectOne, loadReader } from "./detect.js";
import type { Change, Unplaced } from "./fixes/journal.js";
import { bytesOf } from "./input.js";

export type { Change, Unplaced };

export interface RepairOptions {
  /** Default: detected. */
  from?: DialectName;
  /** Also corrects what this API would refuse, where there is one unambiguous fix. */
  for?: Provider;
}

export interface Repaired {
  /** In the input's dialect; identical to the input when nothing was repaired. */
  output: string;
  from: DialectName;
  changes: Change[];
  /** Text that has no place in the output. */
  unplaced: Unplaced[];
  /** What was left unchanged, and why. */
  notes: Problem[];
}

/**
 * Fixes the problems that have one unambiguous fix, and reports the changes. The input is not modified, and nothing is
 * lost: removed text is in `unplaced`, or in a change's `before`.
 *
 * @example
 * const { output, changes, unplaced } = await repair(text);
 */
export async function repair(input: string | Uint8Array, options: RepairOptions = {}): Promise<Repaired> {
  const bytes = bytesOf(input);
  const from = options.from ?? (await detectOne(bytes));
  // Loaded lazily: the fixes are many files, and most programs never repair anything.
  const { repairBytes } = await import("./repair-bytes.js");
  const api = options.for && (await loadApi(options.for));
  const repaired = { from, ...repairBytes(bytes, await loadReader(from), api) };
  const isUntouched = repaired.changes.length === 0 && repaired.unplaced.length === 0;
  return isUntouched && typeof input === "string" ? { ...repaired, output: input } : repaired;
}
