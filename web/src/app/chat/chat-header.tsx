import { useEffect, useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { PageHeader } from "../page-header.js";
import { RenameField } from "../side-bar/rename-field.js";
import { SessionMenu } from "../side-bar/session-menu.js";
import type { ChatSession } from "../state/chat-session.js";
import { hashOf } from "../state/route.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";
import { ModelMenu } from "./model-menu.js";
import { UsageButton } from "./usage-button.js";

interface ChatHeaderProps {
  id: string;
  session: ChatSession;
}

export function ChatHeader({ id, session }: ChatHeaderProps) {
  const { app } = useConnected();
  const { sessions } = useStore(app.list);
  const model = useStore(session.model);
  const [isRenaming, setRenaming] = useState(false);
  const info = sessions.get(id);
  const title = info === undefined ? texts.chat.untitled : titleOf(info);
  useEffect(() => {
    app.pageTitle.set(title);
    return () => app.pageTitle.set("");
  }, [app, title]);
  return (
    <PageHeader
      title={
        info === undefined ? (
          <h1 className="visually-hidden">{title}</h1>
        ) : isRenaming ? (
          <RenameField session={info} onDone={() => setRenaming(false)} />
        ) : (
          title
        )
      }
      note={
        info?.parent !== undefined && (
          <a className="chat-parent one-line" href={hashOf({ page: "session", id: info.parent.session })}>
            <RichText
              text={info.parent.toolCallId === undefined ? texts.chat.forkOf : texts.chat.startedBy}
              title={<bdi>{titleOf(sessions.get(info.parent.session) ?? {})}</bdi>}
            />
          </a>
        )
      }
    >
      {info !== undefined && <UsageButton info={info} session={session} />}
      {model !== undefined && (
        <ModelMenu model={model} onModel={(chosen) => void app.attempt(() => session.selectModel(chosen))} />
      )}
      {info !== undefined && <SessionMenu session={info} onRename={() => setRenaming(true)} />}
    </PageHeader>
  );
}
