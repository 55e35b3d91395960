import type { LossGroup } from "dragoman/convert";
import type { Loss } from "dragoman/core";
import { useState } from "react";
import { viewerTexts } from "../../text/viewer-texts.js";
import { each } from "../../transcript/each.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { FindingList } from "./finding-list.js";

interface LossGroupsProps {
  groups: readonly LossGroup[];
  onChoose: (loss: Loss) => void;
}

const STEP = 100;

/** Losses by kind, the worst first. A kind opens to show its places. */
export function LossGroups({ groups, onChoose }: LossGroupsProps) {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul className="viewer-list" aria-label={viewerTexts.losses.label}>
        {each(groups.slice(0, shown), (group) => (
          <li>
            <Group group={group} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {shown < groups.length ? (
        <button type="button" className="button" onClick={() => setShown(shown + STEP)}>
          {viewerTexts.showMore}
        </button>
      ) : null}
    </>
  );
}

function Group({ group, onChoose }: { group: LossGroup; onChoose: (loss: Loss) => void }) {
  const [open, setOpen] = useState(false);
  const { severity, count: times, what, why, losses } = group;
  return (
    <>
      <button
        type="button"
        className="viewer-finding"
        aria-expanded={open}
        onClick={() => setOpen((before) => !before)}
      >
        <span className="viewer-finding-head">
          <span className="viewer-severity" data-severity={severity}>
            {viewerTexts.severities[severity]}
          </span>
          <span className="viewer-quiet">{count(times)} ×</span>
        </span>
        <span>{visible(what)}</span>
        <span className="viewer-quiet">{visible(why)}</span>
      </button>
      {open ? (
        <div className="viewer-places">
          <FindingList label={viewerTexts.losses.places} findings={losses} onChoose={onChoose}>
            {(loss) => (
              <span className="viewer-finding-head">
                <code>{loss.at === "" ? "/" : visible(loss.at)}</code>
                <span className="viewer-quiet">{visible(loss.what)}</span>
              </span>
            )}
          </FindingList>
          {times > losses.length ? (
            <p className="viewer-quiet">{viewerTexts.losses.firstPlaces(losses.length)}</p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
