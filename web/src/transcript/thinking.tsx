import { useSyncExternalStore } from "react";
import { texts } from "../text/texts.js";
import { Fold } from "./fold.js";
import type { LiveText } from "./live/live-answer.js";
import { useClock } from "./live/use-clock.js";
import { piecesOf } from "./markdown/split-markdown.js";
import { duration } from "./numbers.js";
import { OpenText, Pieces } from "./piece-view.js";

export function Thinking({ text, redacted, foldKey }: { text: string; redacted: boolean; foldKey: string }) {
  if (redacted && text.trim() === "") {
    return <p className="thinking-withheld">{texts.transcript.thinkingWithheld}</p>;
  }
  return (
    <Fold foldKey={foldKey} className="thinking" summary={<span>{texts.transcript.thinking}</span>}>
      {() => <Pieces pieces={piecesOf(text)} />}
    </Fold>
  );
}

/** Shorter times are not shown. */
const SHOWN_MS = 1000;

/** Streaming thinking, collapsed, with its duration. */
export function LiveThinking({ block }: { block: LiveText }) {
  useSyncExternalStore(block.subscribe, block.snapshot);
  const now = useClock(block.ended === undefined);
  const ms = (block.ended ?? now) - block.started;
  // A tab that joins in the middle of an answer gets the thinking before it at once, and does not know how long it took.
  const took = ms < SHOWN_MS ? undefined : duration(ms);
  const title =
    block.ended === undefined
      ? texts.transcript.thinkingNow
      : took === undefined
        ? texts.transcript.thinking
        : texts.transcript.thoughtFor(took);
  return (
    <Fold
      foldKey={block.key}
      className="thinking"
      state={block.ended === undefined ? "running" : "done"}
      summary={
        <>
          <span>{title}</span>
          {block.ended === undefined && took !== undefined && <span className="fold-aside">{took}</span>}
        </>
      }
    >
      {() => (
        <Pieces pieces={block.splitter.pieces}>
          <OpenText block={block} />
        </Pieces>
      )}
    </Fold>
  );
}
