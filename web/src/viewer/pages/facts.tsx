import { viewerTexts } from "../../text/viewer-texts.js";
import { dollars, duration, shortCount } from "../../transcript/numbers.js";
import type { Totals } from "../model/timeline.js";

/** How large the branch on display is, and what it took. */
export function Facts({ totals: { messages, tokens, cost, busyMs } }: { totals: Totals }) {
  const words = viewerTexts.facts;
  return (
    <p className="viewer-facts">
      <span>{viewerTexts.messages(messages)}</span>
      {tokens > 0 ? <span>{words.tokens(shortCount(tokens))}</span> : null}
      {cost > 0 ? <span>{dollars(cost)}</span> : null}
      {busyMs > 0 ? <span>{words.busy(duration(busyMs))}</span> : null}
    </p>
  );
}
