import { memo, type ReactNode } from "react";
import type { Item } from "./items.js";
import type { LivePart } from "./live/live-answer.js";
import { PartView } from "./part-view.js";
import { OpenText, PieceView } from "./piece-view.js";
import type { Row } from "./rows.js";
import type { Speaker } from "./speakers.js";
import { LiveThinking } from "./thinking.js";
import { LiveToolCard } from "./tools/tool-card.js";
import { visible } from "./visible-text.js";

export interface RowViewProps {
  row: Row;
  /** The actions on a message, shown at its end. */
  actions?: ((item: Item) => ReactNode) | undefined;
  /** Remarks on a message, shown above it. */
  remarks?: ((item: Item) => ReactNode) | undefined;
}

export const RowView = memo(function RowView({ row, actions, remarks }: RowViewProps) {
  const { kind, first, last, speaker, content, key } = row;
  // An answer that continues after its tools looks like one.
  const continues = kind === "agent" && first && speaker === undefined;
  return (
    <div className="row" data-row={key} data-kind={kind} data-first={first && !continues} data-last={last}>
      {first && content.type === "stored" && remarks?.(content.item)}
      {speaker !== undefined && <SpeakerName speaker={speaker} />}
      <div className="row-content">
        {content.type === "stored" ? (
          <PartView part={content.part} foldKey={key} />
        ) : (
          <LivePartView part={content.part} />
        )}
      </div>
      {last && content.type === "stored" && actions !== undefined && (
        <div className="row-actions" data-floating={content.item.isContinued}>
          {actions(content.item)}
        </div>
      )}
    </div>
  );
});

function SpeakerName({ speaker }: { speaker: Speaker }) {
  const { name, colour, kind } = speaker;
  const own = kind === "user" && colour === undefined;
  return (
    <h2 className={own ? "visually-hidden" : "speaker"} data-colour={colour}>
      <span className="speaker-mark" aria-hidden="true" />
      <bdi>{visible(name)}</bdi>
    </h2>
  );
}

function LivePartView({ part }: { part: LivePart }) {
  switch (part.type) {
    case "piece":
      return (
        <div className="md">
          <PieceView piece={part.piece} />
        </div>
      );
    case "open":
      return part.block.type === "thinking" ? (
        <LiveThinking block={part.block} />
      ) : (
        <OpenText block={part.block} />
      );
    case "call":
      return <LiveToolCard block={part.block} />;
  }
}
