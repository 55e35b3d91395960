import { memo } from "react";
import { Fold } from "./fold.js";
import { LongText } from "./long-text.js";
import { Media } from "./media.js";
import { Note } from "./note.js";
import type { Part } from "./parts.js";
import { PieceView } from "./piece-view.js";
import { Thinking } from "./thinking.js";
import { json } from "./tools/tool-arguments.js";
import { ToolCard } from "./tools/tool-card.js";
import { UsageLine } from "./usage-line.js";
import { visible } from "./visible-text.js";

/** One part of a stored message. */
export const PartView = memo(function PartView({ part, foldKey }: { part: Part; foldKey: string }) {
  switch (part.type) {
    case "piece":
      return (
        <div className="md">
          <PieceView piece={part.piece} breaks={part.breaks} />
        </div>
      );
    case "thinking":
      return <Thinking text={part.text} redacted={part.redacted} foldKey={foldKey} />;
    case "tool":
      return <ToolCard part={part} foldKey={foldKey} />;
    case "media":
      return <Media block={part.block} />;
    case "json":
      return (
        <Fold foldKey={foldKey} className="json" summary={<span>{visible(part.title)}</span>}>
          {() => <LongText text={json(part.value)} />}
        </Fold>
      );
    case "note":
      return <Note part={part} foldKey={foldKey} />;
    case "usage":
      return <UsageLine part={part} />;
  }
});
