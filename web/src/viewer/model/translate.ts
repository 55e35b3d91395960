import { convertStream, dialects, loadDialect } from "dragoman/convert";
import type { Loss } from "dragoman/core";
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
  /** Up to a limit. */
  losses: Loss[];
  counts: Record<Loss["severity"], number>;
}

const MAX_LISTED = 5000;

/** Converts a transcript and collects the losses. */
export async function translate(
  bytes: Uint8Array,
  { from, to, leaf, escrow = false }: TranslateOptions,
  breathe: YieldToPage,
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
      if (result.losses.length < MAX_LISTED) result.losses.push(loss);
    },
  });
  for await (const piece of pieces) result.pieces.push(piece);
  return result;
}

/** `session.jsonl` becomes `session.cline.json`. */
export async function fileName(name: string, to: string): Promise<string> {
  const { extension = "jsonl" } = (await dialects()).find((info) => info.name === to) ?? {};
  return `${stemOf(name)}.${to}.${extension}`;
}

/** A file's name without folder and extension. A longer ending is part of a session's title. */
export function stemOf(name: string): string {
  const stem = name.replace(/^.*[/\\]/, "").replace(/\.\w{1,5}$/, "");
  return stem === "" ? "transcript" : stem;
}
