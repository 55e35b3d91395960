import { useState } from "react";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import { originOf } from "../state/origin.js";
import { hashOf } from "../state/route.js";
import type { SessionNode } from "../state/session-groups.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";
import { RenameField } from "./rename-field.js";
import { SessionMenu } from "./session-menu.js";

interface SessionRowProps {
  node: SessionNode;
  /** The id of the open session. */
  current: string | undefined;
}

/** A session, with its sub-agents' sessions below it. */
export function SessionRow({ node: { session, subAgents }, current }: SessionRowProps) {
  const { app } = useConnected();
  const { busy, asking } = useStore(app.list);
  const isAsking = asking.has(session.id);
  const isBusy = !isAsking && busy.has(session.id);
  const [isRenaming, setRenaming] = useState(false);
  const isCurrent = session.id === current;
  const isUnread = !isCurrent && app.world.seen.isUnread(session);
  const title = titleOf(session);
  const origin = originOf(session, useOriginTitle());
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
              title={isFork ? texts.sideBar.fork(title) : title}
            >
              {isBusy && <span className="busy-mark" role="img" aria-label={texts.sideBar.working} />}
              {isAsking && <span className="asking-mark" role="img" aria-label={texts.sideBar.needsYou} />}
              {!isBusy && !isAsking && isUnread && (
                <span className="unread-mark" role="img" aria-label={texts.sideBar.unread} />
              )}
              <bdi className="one-line">{title}</bdi>
              {origin !== undefined && <span className="origin-mark">{visible(origin.title)}</span>}
              {isAsking && <span className="asking-label">{texts.sideBar.needsYou}</span>}
              {isFork && <Icon name="fork" />}
            </a>
            <SessionMenu session={session} onRename={() => setRenaming(true)} />
          </>
        )}
      </div>
      {subAgents.length > 0 && (
        <ul className="sub-agents">
          {subAgents.map((child) => (
            <SessionRow key={child.session.id} node={child} current={current} />
          ))}
        </ul>
      )}
    </li>
  );
}
