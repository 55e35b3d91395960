import { memo, type ReactNode, useSyncExternalStore } from "react";
import { each } from "./each.js";
import type { LiveText } from "./live/live-answer.js";
import { CodeBlock } from "./markdown/code-block.js";
import { Markdown } from "./markdown/markdown.js";
import type { Piece } from "./markdown/split-markdown.js";

/** A finished piece of text. */
export const PieceView = memo(function PieceView({
  piece,
  breaks = false,
}: {
  piece: Piece;
  breaks?: boolean;
}) {
  if (piece.type === "text") return <Markdown text={piece.text} breaks={breaks} />;
  const { type: _, ...code } = piece;
  return <CodeBlock {...code} />;
});

/** Pieces of Markdown, and anything that follows them. */
export function Pieces({ pieces, children }: { pieces: readonly Piece[]; children?: ReactNode }) {
  return (
    <div className="md">
      {each(pieces, (piece) => (
        <PieceView piece={piece} />
      ))}
      {children}
    </div>
  );
}

/** Streaming text: only the last block is parsed again, finished ones are not. */
export function OpenText({ block }: { block: LiveText }) {
  useSyncExternalStore(block.subscribe, block.snapshot);
  const { blocks, tail, openCode } = block.splitter;
  return (
    <div className={block.hasEnded ? "md" : "md md-open"}>
      {openCode === undefined ? (
        <>
          {each(blocks, (text) => (
            <Markdown text={text} />
          ))}
          <Markdown text={tail} open />
        </>
      ) : (
        <CodeBlock text={tail} first={false} last={false} open {...openCode} />
      )}
    </div>
  );
}
