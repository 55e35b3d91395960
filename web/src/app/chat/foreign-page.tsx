import type { RpcSessionInfo } from "dragoman/client";
import { IconButton } from "../../theme/icon-button.js";
import { count } from "../../transcript/numbers.js";
import { SessionMenu } from "../side-bar/session-menu.js";
import { titleOf } from "../state/session-title.js";
import { openInViewer } from "../viewer-link.js";

interface ForeignPageProps {
  session: RpcSessionInfo;
  onOpenDrawer(): void;
}

/** A session that another program wrote: nobody can talk in it here, and the viewer shows all of it. */
export function ForeignPage({ session, onOpenDrawer }: ForeignPageProps) {
  const { id, counts } = session;
  return (
    <>
      <header className="chat-head">
        <IconButton icon="menu" label="Open the side bar" className="drawer-only" onClick={onOpenDrawer} />
        <div className="chat-title">
          <h1>
            <bdi>{titleOf(session)}</bdi>
          </h1>
        </div>
        <SessionMenu session={session} onRename={() => undefined} />
      </header>
      <div className="new-chat foreign">
        <h2>Written by another program</h2>
        <p>
          It has {count(counts.lines)} {counts.lines === 1 ? "message" : "messages"}. It can be read, searched
          and exported, and is never changed. To go on with a copy: <code>dragoman sessions fork {id}</code>
        </p>
        <p>
          <button type="button" className="button-primary" onClick={() => openInViewer(id)}>
            Open in viewer
          </button>
        </p>
      </div>
    </>
  );
}
