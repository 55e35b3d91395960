import type { RpcSessionInfo } from "dragoman/client";
import { IconButton } from "../../theme/icon-button.js";
import { counted } from "../../transcript/numbers.js";
import { SessionMenu } from "../side-bar/session-menu.js";
import { titleOf } from "../state/session-title.js";
import { openInViewer } from "../viewer-link.js";

interface ForeignPageProps {
  session: RpcSessionInfo;
  onOpenDrawer(): void;
}

/** A session written by another program: read-only here, shown in the viewer. */
export function ForeignPage({ session, onOpenDrawer }: ForeignPageProps) {
  const { id, counts } = session;
  return (
    <>
      <header className="chat-head">
        <IconButton icon="menu" label="Open the side bar" className="drawer-only" onClick={onOpenDrawer} />
        <div className="chat-title">
          <h1 className="one-line">
            <bdi>{titleOf(session)}</bdi>
          </h1>
        </div>
        <SessionMenu session={session} onRename={() => undefined} />
      </header>
      <div className="new-chat foreign">
        <h2>Written by another program</h2>
        <p>
          This session has {counted(counts.lines, "message")}. You can read, search and export it; Dragoman
          never changes it. To continue in a copy, run <code>dragoman sessions fork {id}</code>
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
