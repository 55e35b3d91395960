import { type Problem, type Provider, providers } from "dragoman/convert";
import { useId } from "react";
import { RichText } from "../../text/rich-text.js";
import { viewerTexts } from "../../text/viewer-texts.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import type { Check, OpenTranscript } from "../model/open-transcript.js";
import { FindingList } from "./finding-list.js";

/** The problems that `check` finds, each linked to its message. */
export function ProblemsPanel({ transcript, check }: { transcript: OpenTranscript; check: Check }) {
  const id = useId();
  const { findings, provider } = check;
  const choose = (name: string) =>
    transcript.check(providers.find((known): known is Provider => known === name));
  return (
    <>
      <div className="viewer-panel-head">
        <label htmlFor={id}>{viewerTexts.problems.checkFor}</label>
        <select
          id={id}
          className="viewer-select"
          value={provider ?? ""}
          onChange={({ target }) => void choose(target.value)}
        >
          <option value="">{viewerTexts.problems.noProvider}</option>
          {providers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <p role="status" className="viewer-quiet viewer-summary">
        {findings === undefined ? viewerTexts.problems.checking : summaryOf(findings.counts)}
      </p>
      <FindingList
        label={viewerTexts.problems.title}
        findings={findings?.problems ?? []}
        onChoose={(problem) => transcript.goToPlace(problem)}
      >
        {(problem) => <ProblemText problem={problem} />}
      </FindingList>
      {findings !== undefined &&
      findings.counts.error + findings.counts.warning > findings.problems.length ? (
        <p className="viewer-quiet">
          <RichText text={viewerTexts.problems.firstListed(count(findings.problems.length))} />
        </p>
      ) : null}
    </>
  );
}

export function ProblemText({ problem }: { problem: Problem }) {
  const { severity, code, message, hint, line, column } = problem;
  return (
    <>
      <span className="viewer-finding-head">
        <span className="viewer-severity" data-severity={severity}>
          {viewerTexts.problems.severities[severity]}
        </span>
        {line === undefined ? null : (
          <span className="viewer-quiet">{viewerTexts.place(line, column ?? 1)}</span>
        )}
        <code>{code}</code>
      </span>
      <span>{visible(message)}</span>
      {hint === undefined ? null : <span className="viewer-quiet">{visible(hint)}</span>}
    </>
  );
}

function summaryOf({ error, warning }: { error: number; warning: number }): string {
  if (error + warning === 0) return viewerTexts.problems.none;
  return viewerTexts.problems.counts(error, warning);
}
