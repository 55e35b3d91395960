import { asciiJson } from "../../core/json/visible.js";
import type { FailedModel } from "../../core/message/fallbacks.js";

/** Names the model that answered, and the models of a list that failed before it. */
export function modelHeaders(
  { provider, model }: { provider: string; model: string },
  failed: readonly FailedModel[],
): Record<string, string> {
  // Names come from the configuration and may have characters that a header cannot hold; they are escaped as in JSON.
  const name = asciiJson(`${provider}/${model}`).slice(1, -1);
  return {
    "x-dragoman-model": name,
    ...(failed.length === 0 ? {} : { "x-dragoman-fallback": asciiJson(failed) }),
  };
}
