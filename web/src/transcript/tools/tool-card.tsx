import { useCallback, useContext, useSyncExternalStore } from "react";
import { texts } from "../../text/texts.js";
import { TranscriptContext } from "../context.js";
import { Fold } from "../fold.js";
import type { LiveCall } from "../live/live-answer.js";
import { useClock } from "../live/use-clock.js";
import { LongText } from "../long-text.js";
import { duration } from "../numbers.js";
import type { ToolPart } from "../parts.js";
import { visible } from "../visible-text.js";
import type { Activity } from "./tool-activity.js";
import { ToolArguments } from "./tool-arguments.js";
import { ToolResult } from "./tool-result.js";
import { partialText, subjectOf, type ToolState, toolState } from "./tool-state.js";

/** A stored call with its result, collapsed to a line with its subject and state. */
export function ToolCard({ part, foldKey }: { part: ToolPart; foldKey: string }) {
  const { call, result, recordedMs } = part;
  const { tools, busy } = useContext(TranscriptContext);
  const activity = useSyncExternalStore(
    useCallback((listener) => tools.subscribe(call.id, listener), [tools, call.id]),
    () => tools.of(call.id),
  );
  const state = toolState(result, activity, busy);
  const now = useClock(state === "running");
  const partial = result === undefined ? partialText(activity?.partial) : "";
  return (
    <Fold
      foldKey={foldKey}
      className="tool"
      state={state}
      summary={
        <Summary
          name={call.name}
          subject={subjectOf(call.arguments)}
          state={state}
          took={tookMs(activity, now) ?? recordedMs}
        />
      }
    >
      {() => (
        <>
          <ToolArguments value={call.arguments} />
          {call.argumentsError !== undefined && <p className="tool-error">{call.argumentsError}</p>}
          {partial !== "" && <LongText text={partial} />}
          {result !== undefined && <ToolResult result={result} />}
        </>
      )}
    </Fold>
  );
}

/** A call whose arguments are streaming. */
export function LiveToolCard({ block }: { block: LiveCall }) {
  useSyncExternalStore(block.subscribe, block.snapshot);
  const { value, text } = block.arguments;
  return (
    <Fold
      foldKey={block.key}
      className="tool"
      state="writing"
      startsOpen
      summary={
        <Summary
          name={block.name ?? texts.transcript.tool.unnamed}
          subject={subjectOf(value)}
          state="writing"
        />
      }
    >
      {() =>
        value === undefined && text !== "" ? <LongText text={text} /> : <ToolArguments value={value} />
      }
    </Fold>
  );
}

interface SummaryProps {
  name: string;
  subject: string;
  state: ToolState;
  took?: number | undefined;
}

function Summary({ name, subject, state, took }: SummaryProps) {
  const label = state === "done" ? [] : [texts.transcript.toolStates[state]];
  const aside = [...label, ...(took === undefined ? [] : [duration(took)])].join(" · ");
  return (
    <>
      <span className="tool-mark" aria-hidden="true" />
      <span className="tool-name one-line">{visible(name)}</span>
      <span className="tool-subject one-line">{visible(subject.slice(0, 200))}</span>
      <span className="fold-aside">{aside}</span>
    </>
  );
}

function tookMs(activity: Activity | undefined, now: number): number | undefined {
  if (activity?.started === undefined) return undefined;
  if (activity.ended !== undefined) return activity.ended - activity.started;
  return activity.state === "running" ? Math.max(0, now - activity.started) : undefined;
}
