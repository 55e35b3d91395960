import { useSyncExternalStore } from "react";
import { Fold } from "./fold.js";
import type { LiveText } from "./live/live-answer.js";
import { useClock } from "./live/use-clock.js";
import { piecesOf } from "./markdown/split-markdown.js";
import { duration } from "./numbers.js";
import { OpenText, Pieces } from "./piece-view.js";

export function Thinking({ text, redacted, foldKey }: { text: string; redacted: boolean; foldKey: string }) {
  if (redacted && text.trim() === "") {
    return <p className="thinking-withheld">The provider does not disclose the thinking here.</p>;
  }
  return (
    <Fold foldKey={foldKey} className="thinking" summary={<span>Thinking</span>}>
      {() => <Pieces pieces={piecesOf(text)} />}
    </Fold>
  );
}

/** Streaming thinking, collapsed, with its duration. */
export function LiveThinking({ block }: { block: LiveText }) {
  useSyncExternalStore(block.subscribe, block.snapshot);
  const now = useClock(block.ended === undefined);
  const took = duration(Math.max(0, (block.ended ?? now) - block.started));
  const title = block.ended === undefined ? "Thinking…" : `Thought for ${took}`;
  return (
    <Fold
      foldKey={block.key}
      className="thinking"
      state={block.ended === undefined ? "running" : "done"}
      summary={
        <>
          <span>{title}</span>
          {block.ended === undefined && <span className="fold-aside">{took}</span>}
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
