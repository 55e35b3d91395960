import { Fold } from "./fold.js";
import { LongText } from "./long-text.js";
import { piecesOf } from "./markdown/split-markdown.js";
import type { NotePart } from "./parts.js";
import { Pieces } from "./piece-view.js";
import { visible } from "./visible-text.js";

/** A line between messages. */
export function Note({ part, foldKey }: { part: NotePart; foldKey: string }) {
  const { tone, title, text } = part;
  if (tone === "error") {
    return (
      <div className="note" data-tone={tone} role="note">
        <strong>{visible(title)}</strong>
        {text !== undefined && <LongText text={text} />}
      </div>
    );
  }
  if (text === undefined) {
    return (
      <p className="note" data-tone={tone}>
        {visible(title)}
      </p>
    );
  }
  return (
    <Fold foldKey={foldKey} className="note-fold" summary={<span>{visible(title)}</span>}>
      {() => <Pieces pieces={piecesOf(text)} />}
    </Fold>
  );
}
