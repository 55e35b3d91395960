import type { Border, LossRecord } from "./message/notes.js";
import type { Loss } from "./types.js";

const headings: Record<Border, (target: string) => string> = {
  request: (target) => `Request to ${target}`,
  import: (target) => `Import from ${target}`,
  view: (target) => `View for ${target}`,
  channel: (target) => `Delivery on ${target}`,
  export: (target) => `Export to ${target}`,
};

const verbs = { dropped: "left out", approximated: "changed", synthesised: "added" } as const;

/**
 * A loss note as one line of text for the user.
 *
 * @example
 * lossSummary(note.data); // "Request to ollama/qwen3: left out audio (this API does not accept it)"
 */
export function lossSummary({ border, target, losses }: LossRecord): string {
  const [first, ...more] = losses;
  const heading = headings[border](target);
  if (first === undefined) return heading;
  return `${heading}: ${lossLine(first)}${more.length === 0 ? "" : `, and ${more.length} more`}`;
}

/** One loss as one line: `left out audio (this API does not accept it)`. */
export function lossLine({ what, why, severity }: Loss): string {
  return `${verbs[severity]} ${what} (${why})`;
}
