import { useMemo } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { moment } from "../../transcript/dates.js";
import { dollars, shortCount } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { excerptOf } from "../model/excerpt.js";
import type { OpenTranscript, View } from "../model/open-transcript.js";
import { outlineOf, type Prompt } from "../model/outline.js";
import { Facts } from "../pages/facts.js";
import { FindingList } from "./finding-list.js";

/** The user's prompts, each linked to its message, with what the answers to it took. */
export function OutlinePanel({ transcript, view }: { transcript: OpenTranscript; view: View }) {
  const prompts = useMemo(() => outlineOf(view.branch), [view.branch]);
  const words = viewerTexts.outline;
  const selected = view.selected?.kind === "message" ? view.selected.index : -1;
  const current = prompts.findLast(({ index }) => index <= selected);
  return (
    <>
      <Facts totals={view.branch.totals} />
      <p className="viewer-quiet viewer-summary">
        {prompts.length === 0 ? words.none : words.count(prompts.length)}
      </p>
      <FindingList
        label={words.prompts}
        findings={prompts}
        isCurrent={(prompt) => prompt === current}
        onChoose={({ index }) => transcript.goTo(index)}
      >
        {(prompt) => (
          <>
            <span className="viewer-prompt">{titleOf(prompt)}</span>
            <span className="viewer-quiet viewer-position">{factsOf(prompt)}</span>
          </>
        )}
      </FindingList>
    </>
  );
}

function titleOf({ message }: Prompt): string {
  const text = excerptOf(message);
  return text === "" ? viewerTexts.outline.noText : visible(text);
}

function factsOf({ time, tokens, cost, calls }: Prompt): string {
  return [
    ...(time === undefined ? [] : [moment(time)]),
    ...(calls === 0 ? [] : [viewerTexts.outline.calls(calls)]),
    ...(tokens === 0 ? [] : [viewerTexts.outline.tokens(shortCount(tokens))]),
    ...(cost === 0 ? [] : [dollars(cost)]),
  ].join(" · ");
}
