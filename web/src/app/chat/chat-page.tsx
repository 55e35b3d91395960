import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { texts } from "../../text/texts.js";
import { useKeyDown } from "../../theme/use-key-down.js";
import { type Item, itemsOf } from "../../transcript/items.js";
import { Transcript, type TranscriptHandle } from "../../transcript/transcript.js";
import { useConnected, useMay } from "../app-context.js";
import { isInDialog } from "../shortcuts.js";
import { failedAttempts, withoutAttempts } from "../state/attempts.js";
import type { ChatSession, OnPermissionAnswer } from "../state/chat-session.js";
import { type Conversation, lastUserMessage, shownMessages } from "../state/conversation.js";
import { useStore } from "../state/store.js";
import { ChatHeader } from "./chat-header.js";
import { Composer } from "./composer.js";
import { draftOf, type Editing } from "./editing.js";
import { ForeignPage } from "./foreign-page.js";
import { MessageActions } from "./message-actions.js";
import { MissingServers } from "./missing-servers.js";
import { RequestCard } from "./request-card.js";
import { SessionProblem } from "./session-problem.js";
import { StatusLine } from "./status-line.js";
import { usePrintCommand } from "./use-print-command.js";
import { WaitingMessages } from "./waiting-messages.js";
import "./chat.css";

interface ChatPageProps {
  id: string;
  /** The message to show. */
  message: string | undefined;
}

/** A session. Those written by another program are read-only and open in the viewer. */
export function ChatPage(props: ChatPageProps) {
  const { app } = useConnected();
  const session = useStore(app.list).sessions.get(props.id);
  useListed(props.id);
  if (session?.foreign !== true) return <ConversationPage {...props} />;
  return <ForeignPage id={props.id} source={undefined} message={props.message} />;
}

function ConversationPage({ id, message }: ChatPageProps) {
  const { app, client, welcome } = useConnected();
  const session = useMemo(() => app.session(id, client, welcome), [app, id, client, welcome]);
  const state = useStore(session.state);
  const problem = useStore(session.problem);
  const { isLoaded } = useStore(app.list);
  return (
    <>
      <ChatHeader id={id} session={session} />
      {problem !== undefined && isLoaded ? (
        <SessionProblem problem={problem} />
      ) : state === undefined ? (
        <div className="chat-loading" aria-busy="true" />
      ) : (
        <Chat session={session} state={state} message={message} />
      )}
    </>
  );
}

interface ChatProps {
  session: ChatSession;
  state: Conversation;
  message: string | undefined;
}

function Chat({ session, state, message }: ChatProps) {
  const { app, welcome } = useConnected();
  const may = useMay();
  const agent = useStore(app.list).sessions.get(session.id)?.agent ?? "main";
  const mayAnswer = welcome.scope === "admin";
  const live = useStore(session.live);
  const model = useStore(session.model);
  const [editing, setEditing] = useState<Editing>();
  const [showsAttempts, setShowsAttempts] = useState(false);
  const attempts = useMemo(() => failedAttempts(state.entries), [state.entries]);
  const items = useMemo(
    () => itemsOf(shownMessages(showsAttempts ? state.entries : withoutAttempts(state.entries, attempts))),
    [state.entries, attempts, showsAttempts],
  );
  usePrintCommand(session);
  const transcript = useRef<TranscriptHandle>(null);
  const isBusy = state.runId !== undefined;
  useScrollToMessage(session, message, items, transcript);
  useStopKey(session, isBusy, () => setEditing(undefined), editing !== undefined);

  const actions = useCallback(
    (item: Item) => <MessageActions item={item} session={session} onEdit={setEditing} />,
    [session],
  );
  const remarks = useCallback(
    ({ message: shown }: Item) => {
      const failed = attempts.get(shown)?.length ?? 0;
      if (failed === 0) return null;
      return (
        <button
          type="button"
          className="button-quiet attempts"
          aria-pressed={showsAttempts}
          onClick={() => setShowsAttempts(!showsAttempts)}
        >
          {texts.chat.attempts(failed)}
        </button>
      );
    },
    [attempts, showsAttempts],
  );
  const onStart = useCallback(() => void app.attempt(() => session.loadOlder()), [app, session]);
  const onAnswer: OnPermissionAnswer = (...answer) =>
    void app.attempt(() => session.answerPermission(...answer));
  const onOpenSession = useCallback((other: string) => app.world.go({ page: "session", id: other }), [app]);

  return (
    <>
      <Transcript
        ref={transcript}
        items={items}
        live={live}
        tools={session.tools}
        busy={isBusy}
        actions={actions}
        remarks={remarks}
        onStart={state.hasOlder ? onStart : undefined}
        onOpenSession={onOpenSession}
        end={<WaitingMessages session={session} state={state} />}
      />
      <div className="chat-foot">
        <StatusLine state={state} isAnswering={live !== undefined} />
        <MissingServers agent={agent} />
        {state.permissions.map((request) => (
          <RequestCard key={request.id} request={request} mayAnswer={mayAnswer} onAnswer={onAnswer} />
        ))}
        {may("chat.send") ? (
          <Composer
            key={editing?.position ?? "draft"}
            draft={
              editing === undefined
                ? { text: app.world.drafts.of(session.id), attachments: [] }
                : draftOf(editing)
            }
            isEditing={editing !== undefined}
            isBusy={isBusy}
            model={model}
            onDraft={(text) => {
              if (editing === undefined) app.world.drafts.save(session.id, text);
            }}
            onSend={(content, mode) => {
              transcript.current?.showEnd();
              if (editing === undefined) return app.attempt(() => session.send(content, mode));
              return app.attempt(async () => {
                await app.sendInFork(session.id, editing.position, content);
                setEditing(undefined);
              });
            }}
            onStop={() => void app.attempt(() => session.stop())}
            onEditLast={() => setEditing(lastUserMessage(state))}
            onCancel={() => setEditing(undefined)}
          />
        ) : (
          <p className="chat-read-only">{texts.shell.readOnly}</p>
        )}
      </div>
    </>
  );
}

/** Scrolls to the message named in the address, loading older pages as needed. */
function useScrollToMessage(
  session: ChatSession,
  message: string | undefined,
  items: readonly Item[],
  transcript: { readonly current: TranscriptHandle | null },
): void {
  const { app } = useConnected();
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (message === undefined) return;
    void app.attempt(async () => setWanted(await session.loadUntil(message)));
  }, [app, session, message]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next items may contain it
  useEffect(() => {
    if (wanted !== undefined && transcript.current?.showMessage(wanted) === true) setWanted(undefined);
  }, [wanted, items, transcript]);
}

/** Escape cancels editing, or else stops the answer. */
function useStopKey(session: ChatSession, isBusy: boolean, cancel: () => void, isEditing: boolean): void {
  const { app } = useConnected();
  useKeyDown(({ key, target, defaultPrevented }) => {
    if (key !== "Escape" || defaultPrevented || isInDialog(target)) return;
    if (isEditing) cancel();
    else if (isBusy) void app.attempt(() => session.stop());
    // Outside the field, letters are shortcuts.
    else if (target instanceof HTMLElement) target.blur();
  });
}

/** Adds the session to the list if it is missing, and marks it as seen while the page is visible. */
function useListed(id: string): void {
  const { app } = useConnected();
  const { sessions, isLoaded } = useStore(app.list);
  const session = sessions.get(id);
  const missing = !isLoaded ? undefined : session === undefined ? id : session.parent?.session;
  useEffect(() => {
    // The page shows why the session cannot be opened.
    if (missing !== undefined) app.ensureListed(missing).catch(() => undefined);
  }, [app, missing]);
  useEffect(() => {
    if (session !== undefined && document.visibilityState === "visible") app.world.seen.markSeen(session);
  }, [app, session]);
}
