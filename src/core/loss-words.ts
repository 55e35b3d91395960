import type { Border, LossRecord } from "./notes.js";
import type { Loss } from "./types.js";

const headings: Record<Border, (target: string) => string> = {
  request: (target) => `Not sent to ${target} as stored`,
  import: (target) => `Not imported from ${target} as written`,
  view: (target) => `Not written to the ${target} view as stored`,
  channel: (target) => `Not delivered to ${target} as stored`,
  export: (target) => `Not exported to ${target} as stored`,
};

const verbs = { dropped: "dropped", approximated: "changed", synthesised: "added" } as const;

/**
 * A note about losses in one line, for a person.
 *
 * @example
 * lossSummary(note.data); // "Not sent to ollama/qwen3 as stored: audio dropped (this API does not take it)"
 */
export function lossSummary({ border, target, losses }: LossRecord): string {
  const [first, ...more] = losses;
  const heading = headings[border](target);
  if (first === undefined) return heading;
  return `${heading}: ${lossLine(first)}${more.length === 0 ? "" : `, and ${more.length} more`}`;
}

/** One loss in one line: `audio dropped (this API does not take it)`. */
export function lossLine({ what, why, severity }: Loss): string {
  return `${what} ${verbs[severity]} (${why})`;
}
