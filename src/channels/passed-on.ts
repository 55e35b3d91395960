import { isObject } from "../core/json/value.js";
import type { PassedOn } from "../core/shown/quote.js";
import type { OpenClawMessage } from "../core/types.js";

/** A message's field for content its sender did not write: `PassedOn: [{ Kind: "forwarded", Text: "…" }]`. */
export function passedOnField(passedOn: readonly PassedOn[]): {
  PassedOn?: { Kind: string; Text?: string }[];
} {
  if (passedOn.length === 0) return {};
  return {
    PassedOn: passedOn.map(({ kind, text }) => ({ Kind: kind, ...(text === "" ? {} : { Text: text }) })),
  };
}

/** A message's passed-on content; entries of the wrong shape are skipped. */
export function passedOnIn({ PassedOn: given }: OpenClawMessage): PassedOn[] {
  if (!Array.isArray(given)) return [];
  return given
    .filter(isObject)
    .flatMap(({ Kind: kind, Text: text = "" }) =>
      typeof kind === "string" && typeof text === "string" ? [{ kind, text }] : [],
    );
}
