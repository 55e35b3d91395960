import type { RpcSessionInfo } from "dragoman/client";
import { useEffect, useMemo, useState } from "react";
import { texts } from "../text/texts.js";
import { itemsOf } from "../transcript/items.js";
import { Transcript } from "../transcript/transcript.js";
import { useConnected } from "./app-context.js";
import { SessionProblem } from "./chat/session-problem.js";
import { StatusLine } from "./chat/status-line.js";
import { usePrintCommand } from "./chat/use-print-command.js";
import { ConnectionBanner } from "./connection-banner.js";
import { shownMessages } from "./state/conversation.js";
import { errorText } from "./state/plain-words.js";
import { titleOf } from "./state/session-title.js";
import { useStore } from "./state/store.js";
import "./chat/chat.css";

/** The session of a share link: read-only and live, without anything around it. */
export function SharedPage({ id, isLost }: { id: string; isLost: boolean }) {
  const { app, client, welcome } = useConnected();
  const session = useMemo(() => app.session(id, client, welcome), [app, id, client, welcome]);
  const [info, setInfo] = useState<RpcSessionInfo>();
  const state = useStore(session.state);
  const live = useStore(session.live);
  const problem = useStore(session.problem);
  const items = useMemo(() => itemsOf(shownMessages(state?.entries ?? [])), [state?.entries]);
  const title = info === undefined ? texts.share.shared : titleOf(info);
  usePrintCommand(session);
  useEffect(() => {
    client.call("sessions.get", { sessionKey: id }).then(
      ({ session: found }) => setInfo(found),
      (error: unknown) => app.notice.set(errorText(error)),
    );
  }, [app, client, id]);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const onStart = () => void app.attempt(() => session.loadOlder());
  return (
    <main className="main">
      <ConnectionBanner isLost={isLost} />
      <header className="chat-head">
        <div className="chat-title">
          <h1 className="one-line">
            <bdi>{title}</bdi>
          </h1>
          <span className="tag">{texts.share.readOnly}</span>
        </div>
      </header>
      {problem !== undefined ? (
        <SessionProblem problem={problem} hasHome={false} />
      ) : state === undefined ? (
        <div className="chat-loading" aria-busy="true" />
      ) : (
        <Transcript
          items={items}
          live={live}
          tools={session.tools}
          busy={state.runId !== undefined}
          onStart={state.hasOlder ? onStart : undefined}
        />
      )}
      <div className="chat-foot">
        {state !== undefined && <StatusLine state={state} isAnswering={live !== undefined} />}
      </div>
    </main>
  );
}
