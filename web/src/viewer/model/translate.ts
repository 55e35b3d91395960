import { convertStream, loadDialect } from "dragoman/convert";
import type { Loss } from "dragoman/core";
import { type Breathe, inSlices } from "./slices.js";

export interface TranslateOptions {
  from: string;
  to: string;
  /** The last message of the branch to take, for a target that has no branches. */
  leaf?: string | undefined;
  escrow?: boolean;
}

export interface Translated {
  /** What the file would be. */
  pieces: Uint8Array[];
  /** As many as anybody looks at. */
  losses: Loss[];
  counts: Record<Loss["severity"], number>;
}

const LISTED_LOSSES = 5000;

/** A transcript in another dialect, and what that costs. */
export async function translate(
  bytes: Uint8Array,
  { from, to, leaf, escrow = false }: TranslateOptions,
  breathe: Breathe,
): Promise<Translated> {
  const [source, target] = await Promise.all([loadDialect(from), loadDialect(to)]);
  const result: Translated = {
    pieces: [],
    losses: [],
    counts: { dropped: 0, approximated: 0, synthesised: 0 },
  };
  const pieces = convertStream(() => inSlices(bytes, breathe), {
    from: source,
    to: target,
    escrow,
    ...(leaf === undefined || target.branches ? {} : { leaf }),
    onLoss: (loss) => {
      result.counts[loss.severity]++;
      if (result.losses.length < LISTED_LOSSES) result.losses.push(loss);
    },
  });
  for await (const piece of pieces) result.pieces.push(piece);
  return result;
}

/** `session.jsonl` becomes `session.cline.json`. */
export async function fileName(name: string, to: string): Promise<string> {
  const { framing } = await loadDialect(to);
  return `${stemOf(name)}.${to}.${framing.kind === "document" ? "json" : "jsonl"}`;
}

/** A file's name without its folder and its ending. A session's title may have dots of another kind. */
export function stemOf(name: string): string {
  const stem = name.replace(/^.*[/\\]/, "").replace(/\.\w{1,5}$/, "");
  return stem === "" ? "transcript" : stem;
}
