import { useSyncExternalStore } from "react";
import { texts } from "../text/texts.js";
import { Fold } from "./fold.js";
import type { LiveText } from "./live/live-answer.js";
import { piecesOf } from "./markdown/split-markdown.js";
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

/**
 * Streaming thinking, collapsed. It has no duration: a tab that joins in the middle does not know it, and the stored answer does
 * not have it.
 */
export function LiveThinking({ block }: { block: LiveText }) {
  useSyncExternalStore(block.subscribe, block.snapshot);
  const { thinking, thinkingNow } = texts.transcript;
  return (
    <Fold
      foldKey={block.key}
      className="thinking"
      state={block.hasEnded ? "done" : "running"}
      summary={<span>{block.hasEnded ? thinking : thinkingNow}</span>}
    >
      {() => (
        <Pieces pieces={block.splitter.pieces}>
          <OpenText block={block} />
        </Pieces>
      )}
    </Fold>
  );
}
