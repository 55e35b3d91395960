import type { DialectName } from "../dialects/registry.js";
import type { Provider } from "./check.js";
import { detectOne } from "./detect.js";

export interface Change {
  at: string;
  line?: number;
  column?: number;
  code: string;
  what: string;
  before?: unknown;
  after?: unknown;
}

/** PLACEHOLDER until the real one is merged: changes nothing. */
export async function repair(
  input: string | Uint8Array,
  options: { from?: DialectName; for?: Provider } = {},
): Promise<{
  output: string;
  from: DialectName;
  changes: Change[];
  unplaced: { line: number; text: string; why: string }[];
}> {
  const from = options.from ?? (await detectOne(input));
  const output = typeof input === "string" ? input : new TextDecoder().decode(input);
  return { output, from, changes: [], unplaced: [] };
}
