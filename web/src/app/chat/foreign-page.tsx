import type { RpcSessionInfo } from "dragoman/client";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { IconButton } from "../../theme/icon-button.js";
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
        <IconButton
          icon="menu"
          label={texts.shell.openSideBar}
          className="drawer-only"
          onClick={onOpenDrawer}
        />
        <div className="chat-title">
          <h1 className="one-line">
            <bdi>{titleOf(session)}</bdi>
          </h1>
        </div>
        <SessionMenu session={session} onRename={() => undefined} />
      </header>
      <div className="new-chat foreign">
        <h2>{texts.chat.foreign.title}</h2>
        <p>
          <RichText
            text={texts.chat.foreign.note(counts.lines)}
            command={<code>dragoman sessions fork {id}</code>}
          />
        </p>
        <p>
          <button type="button" className="button-primary" onClick={() => openInViewer(id)}>
            {texts.chat.foreign.openInViewer}
          </button>
        </p>
      </div>
    </>
  );
}
