import { convertStream, type LossGroup, LossSummary, loadDialect } from "dragoman/convert";
import { inSlices, type YieldToPage } from "./slices.js";

export interface TranslateOptions {
  from: string;
  to: string;
  /** The last message of the branch to write, for a target without branches. */
  leaf?: string | undefined;
  escrow?: boolean;
}

export interface Translated {
  /** The bytes of the file. */
  pieces: Uint8Array[];
  total: number;
  counts: LossSummary["counts"];
  groups: LossGroup[];
}

/** How many losses of each kind are listed. */
const PLACES = 500;

/** Converts a transcript and collects the losses by kind. */
export async function translate(
  bytes: Uint8Array,
  { from, to, leaf, escrow = false }: TranslateOptions,
  breathe: YieldToPage,
): Promise<Translated> {
  const [source, target] = await Promise.all([loadDialect(from), loadDialect(to)]);
  const pieces: Uint8Array[] = [];
  const summary = new LossSummary(PLACES);
  const converted = convertStream(() => inSlices(bytes, breathe), {
    from: source,
    to: target,
    escrow,
    ...(leaf === undefined || target.branches ? {} : { leaf }),
    onLoss: (loss) => summary.add(loss),
  });
  for await (const piece of converted) pieces.push(piece);
  const { total, counts } = summary;
  return { pieces, total, counts, groups: summary.groups(Number.POSITIVE_INFINITY) };
}
