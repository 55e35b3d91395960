import { useRef } from "react";
import { viewerTexts } from "../text/viewer-texts.js";
import { Icon } from "../theme/icon.js";
import { IconButton } from "../theme/icon-button.js";
import { useKeyDown } from "../theme/use-key-down.js";
import { count, shortCount } from "../transcript/numbers.js";
import { type Kind, kinds } from "./model/kinds.js";
import { isFindKey } from "./shortcuts.js";
import type { Find } from "./use-find.js";

interface FindBarProps {
  find: Find;
  /** How many parts of each kind there are. */
  counts: Readonly<Record<Kind, number>>;
  chosen: ReadonlySet<Kind>;
  onChoose: (chosen: ReadonlySet<Kind>) => void;
}

/** Searches the transcript, and shows only what is of the chosen kinds. */
export function FindBar({ find, counts, chosen, onChoose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeyDown((event) => {
    // A second Ctrl+F is the browser's own search.
    if (!isFindKey(event) || document.activeElement === field.current) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
  const toggle = (kind: Kind) => {
    const next = new Set(chosen);
    if (!next.delete(kind)) next.add(kind);
    onChoose(next);
  };
  return (
    <search className="viewer-find">
      <div className="viewer-find-field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          placeholder={viewerTexts.find.field}
          aria-label={viewerTexts.find.label}
          aria-keyshortcuts="/ Control+F"
          title={viewerTexts.find.keys}
          autoComplete="off"
          spellCheck={false}
          value={find.query}
          onChange={({ target }) => find.setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") find.move(event.shiftKey ? -1 : 1);
            if (event.key !== "Escape") return;
            find.setQuery("");
            field.current?.blur();
          }}
        />
        {find.query === "" ? null : (
          <>
            <span role="status" className="viewer-found">
              {placeOf(find)}
            </span>
            <IconButton
              icon="chevron"
              label={viewerTexts.find.previous}
              className="viewer-up"
              onClick={() => find.move(-1)}
            />
            <IconButton icon="chevron" label={viewerTexts.find.next} onClick={() => find.move(1)} />
          </>
        )}
      </div>
      <fieldset className="viewer-kinds" aria-label={viewerTexts.find.showOnly}>
        {kinds
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <button
              key={kind}
              type="button"
              className="viewer-kind"
              aria-pressed={chosen.has(kind)}
              onClick={() => toggle(kind)}
            >
              {viewerTexts.find.kinds[kind]}{" "}
              <span className="viewer-kind-count">{shortCount(counts[kind])}</span>
            </button>
          ))}
      </fieldset>
    </search>
  );
}

function placeOf({ hits, at }: Find): string {
  if (hits === undefined) return "…";
  return hits.length === 0
    ? viewerTexts.find.none
    : viewerTexts.find.place(count(at + 1), count(hits.length));
}
