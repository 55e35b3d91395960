import type { ApiRules } from "../../core/api/api-rules.js";
import type { TextContent, ThinkingContent } from "../../core/types.js";
import { wholeText } from "./characters.js";
import { lost, type Report } from "./entry.js";

/** Which model wrote an answer: the one that is asked, another, or one that the history does not name. */
export type AnswerOrigin = "same" | "other" | "unknown";

/**
 * Thinking is sent back as thinking only to the model that wrote it, if its API accepts it. Otherwise its text is sent as
 * text, because the answer depends on it. Redacted thinking has no text, and is left out. If the model that wrote it is
 * unknown, servers that accept any thinking get it as thinking, because some of them refuse tool calls without it.
 */
export function fitThinking(
  block: ThinkingContent,
  origin: AnswerOrigin,
  rules: ApiRules,
  place: string,
  report: Report,
): ThinkingContent | TextContent | undefined {
  const isSameModel = origin === "same";
  const signed = isSigned(block, rules);
  // Any change would invalidate the signature.
  if (isSameModel && signed) return block;
  const isUnknown = origin === "unknown" && rules.unknownThinking === true;
  const mayThink = isSameModel || (isUnknown && block.thinkingSignature === undefined);
  if (mayThink && rules.unsignedThinking === "accepted") {
    return { ...block, thinking: wholeText(block.thinking, place, report) };
  }
  if (block.redacted === true) {
    report(lost(place, "redacted thinking", "only the model that wrote it can read it"));
    return undefined;
  }
  if (block.thinking.trim() === "") {
    const why = "it has no text, and only the model that wrote it can read its signature";
    report(lost(place, "thinking without text", why));
    return undefined;
  }
  const reason = isSameModel ? "this API accepts thinking only with its signature" : "another model wrote it";
  report({ at: place, what: "thinking", why: `${reason}; it is sent as text`, severity: "approximated" });
  return { type: "text", text: wholeText(block.thinking, place, report) };
}

function isSigned({ thinkingSignature = "" }: ThinkingContent, { isSignature }: ApiRules): boolean {
  return thinkingSignature !== "" && (isSignature?.(thinkingSignature) ?? true);
}
