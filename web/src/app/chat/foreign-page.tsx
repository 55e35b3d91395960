import { useEffect, useMemo, useRef, useState } from "react";
import { texts } from "../../text/texts.js";
import { itemsOf } from "../../transcript/items.js";
import { Transcript, type TranscriptHandle } from "../../transcript/transcript.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useMay, useOriginTitle } from "../app-context.js";
import { PageHeader } from "../page-header.js";
import { ContinueDialog } from "../side-bar/lazy-dialogs.js";
import { SessionMenu } from "../side-bar/session-menu.js";
import { ForeignSession } from "../state/foreign-session.js";
import { originOf } from "../state/origin.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";
import { openInViewer } from "../viewer-link.js";
import { SessionProblem } from "./session-problem.js";
import "./chat.css";

interface ForeignPageProps {
  id: string;
  /** The program; undefined for a file in the gateway's own home. */
  source: string | undefined;
  /** The message to show. */
  message?: string | undefined;
}

/** A session of another program: read-only, and shown while the program writes it. */
export function ForeignPage({ id, source, message }: ForeignPageProps) {
  const t = texts.chat.foreign;
  const { app, client } = useConnected();
  const may = useMay();
  const programTitle = useOriginTitle();
  const session = useMemo(() => new ForeignSession(client, id, source), [client, id, source]);
  useEffect(() => {
    void session.follow();
    return () => session.leave();
  }, [session]);
  const info = useStore(session.info);
  const messages = useStore(session.messages);
  const problem = useStore(session.problem);
  const [isContinuing, setContinuing] = useState(false);
  const items = useMemo(() => itemsOf(messages ?? []), [messages]);
  const transcript = useRef<TranscriptHandle>(null);
  useEffect(() => {
    if (message !== undefined && items.length > 0) transcript.current?.showMessage(message);
  }, [message, items]);
  const title = info === undefined ? texts.chat.untitled : titleOf(info);
  useEffect(() => {
    app.pageTitle.set(title);
    return () => app.pageTitle.set("");
  }, [app, title]);
  const origin = info === undefined ? undefined : originOf(info, programTitle);

  return (
    <>
      <PageHeader
        title={title}
        note={origin !== undefined && <span className="tag">{visible(origin.title)}</span>}
      >
        {info !== undefined && <SessionMenu session={info} />}
      </PageHeader>
      {problem !== undefined ? (
        <SessionProblem problem={problem} />
      ) : messages === undefined ? (
        <div className="chat-loading" aria-busy="true" />
      ) : (
        <Transcript ref={transcript} items={items} />
      )}
      <div className="chat-foot">
        <div className="foreign-foot">
          <p>{t.note(origin === undefined ? t.program : visible(origin.title))}</p>
          <span className="foreign-actions">
            <button type="button" className="button" onClick={() => openInViewer(id, source)}>
              {t.openInViewer}
            </button>
            {may("sessions.continue") && info !== undefined && (
              <button type="button" className="button-primary" onClick={() => setContinuing(true)}>
                {texts.transfer.continueIn}
              </button>
            )}
          </span>
        </div>
      </div>
      {info !== undefined && (
        <ContinueDialog session={info} open={isContinuing} onClose={() => setContinuing(false)} />
      )}
    </>
  );
}
