import type { Dialect } from "../core/dialect.js";
import type { Loss } from "../core/types.js";
import type { DialectName } from "../dialects/registry.js";
import { otherBranches } from "./branches.js";
import { detectOne, load } from "./detect.js";
import { Pipe } from "./pipe.js";

export interface ConvertOptions {
  to: DialectName;
  /** Found out by looking at the input unless given. */
  from?: DialectName;
  /** Carry what the target cannot say in an extra field, so that converting back gives the source again. */
  escrow?: boolean;
  /** For a source with branches and a target without: the last message of the branch to take. */
  leaf?: string;
}

export interface Converted {
  output: string;
  from: DialectName;
  losses: Loss[];
}

/**
 * Turns a transcript of one dialect into another.
 *
 * @example
 * const { output, losses } = await convert(text, { to: "cline" });
 */
export async function convert(input: string | Uint8Array, options: ConvertOptions): Promise<Converted> {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const from = options.from ?? (await detectOne(bytes));
  const losses: Loss[] = [];
  const texts: string[] = [];
  const source = async function* () {
    yield bytes;
  };
  const stream = convertStream(source, {
    ...options,
    from: await load(from),
    to: await load(options.to),
    onLoss: (loss) => losses.push(loss),
  });
  for await (const text of stream) texts.push(text);
  return { output: texts.join(""), from, losses };
}

export interface StreamOptions {
  from: Dialect;
  to: Dialect;
  escrow?: boolean;
  leaf?: string;
  onLoss?: (loss: Loss) => void;
}

/**
 * The same for inputs of any size: `open` gives the bytes, and is called a second time when the source has branches and
 * the target has none. Between line dialects the memory used does not depend on the size.
 */
export async function* convertStream(
  open: () => AsyncIterable<Uint8Array>,
  { from, to, escrow, leaf, onLoss }: StreamOptions,
): AsyncGenerator<string> {
  const linear = from.branches && (!to.branches || leaf !== undefined);
  const pipe = new Pipe({
    from,
    to,
    ...(escrow === undefined ? {} : { escrow }),
    ...(onLoss === undefined ? {} : { onLoss }),
    ...(linear ? { otherBranches: await otherBranches(open(), from, leaf) } : {}),
  });
  for await (const chunk of open()) {
    const text = pipe.push(chunk);
    if (text !== "") yield text;
  }
  yield pipe.finish();
}
