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
 * A note about losses in one line, for a person.
 *
 * @example
 * lossSummary(note.data); // "Request to ollama/qwen3: left out audio (this API does not take it)"
 */
export function lossSummary({ border, target, losses }: LossRecord): string {
  const [first, ...more] = losses;
  const heading = headings[border](target);
  if (first === undefined) return heading;
  return `${heading}: ${lossLine(first)}${more.length === 0 ? "" : `, and ${more.length} more`}`;
}

/** One loss in one line: `left out audio (this API does not take it)`. */
export function lossLine({ what, why, severity }: Loss): string {
  return `${verbs[severity]} ${what} (${why})`;
}
