import { useState } from "react";
import { Icon } from "../../theme/icon.js";
import { useConnected } from "../app-context.js";
import { hashOf } from "../state/route.js";
import type { SessionNode } from "../state/session-groups.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";
import { RenameField } from "./rename-field.js";
import { SessionMenu } from "./session-menu.js";

interface SessionRowProps {
  node: SessionNode;
  /** The id of the session that is looked at. */
  current: string | undefined;
}

/** A session, and below it those that its agent has started. */
export function SessionRow({ node: { session, helpers }, current }: SessionRowProps) {
  const { app } = useConnected();
  const isBusy = useStore(app.list).busy.has(session.id);
  const [isRenaming, setRenaming] = useState(false);
  const isCurrent = session.id === current;
  const isUnread = !isCurrent && app.world.seen.isUnread(session);
  const title = titleOf(session);
  const isFork = session.parent !== undefined && session.parent.toolCallId === undefined;
  return (
    <li>
      <div className="session-row" data-current={isCurrent} data-unread={isUnread}>
        {isRenaming ? (
          <RenameField session={session} onDone={() => setRenaming(false)} />
        ) : (
          <>
            <a
              href={hashOf({ page: "session", id: session.id })}
              aria-current={isCurrent ? "page" : undefined}
              title={isFork ? `${title} (fork)` : title}
            >
              {isBusy && <span className="busy-mark" role="img" aria-label="at work" />}
              {!isBusy && isUnread && <span className="unread-mark" role="img" aria-label="unread" />}
              <bdi>{title}</bdi>
              {isFork && <Icon name="fork" />}
            </a>
            <SessionMenu session={session} onRename={() => setRenaming(true)} />
          </>
        )}
      </div>
      {helpers.length > 0 && (
        <ul className="helpers">
          {helpers.map((helper) => (
            <SessionRow key={helper.session.id} node={helper} current={current} />
          ))}
        </ul>
      )}
    </li>
  );
}
