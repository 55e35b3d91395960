import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import type { ChatSession, MessageContent } from "../state/chat-session.js";
import type { Conversation } from "../state/conversation.js";
import { textOf } from "../state/plain-words.js";
import { attachmentsOf } from "./editing.js";

/** Messages that are not part of the conversation yet: being sent, rejected, or queued. */
export function WaitingMessages({ session, state }: { session: ChatSession; state: Conversation }) {
  const { app } = useConnected();
  if (state.queued.length === 0 && state.outbox.length === 0) return null;
  return (
    <ul className="pending" aria-label={texts.chat.pending.title}>
      {state.queued.map(({ id, content }) => (
        <li key={id} className="pending-message">
          <p>{summaryOf(content)}</p>
          <span className="pending-state">{texts.chat.pending.queued}</span>
        </li>
      ))}
      {state.outbox.map((message) => (
        <li key={message.key} className="pending-message" data-refused={message.refused !== undefined}>
          <p>{summaryOf(message.content)}</p>
          {message.refused === undefined ? (
            <span className="pending-state">{texts.chat.pending.sending}</span>
          ) : (
            <span className="pending-state" role="alert">
              {message.refused}
              <button
                type="button"
                className="link-button"
                onClick={() => void app.attempt(() => session.send(message.content, undefined, message.key))}
              >
                {texts.chat.pending.sendAgain}
              </button>
              <button type="button" className="link-button" onClick={() => session.discard(message.key)}>
                {texts.chat.pending.discard}
              </button>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function summaryOf(content: MessageContent): string {
  const files = attachmentsOf(content).length;
  const suffix = files === 0 ? "" : `[${texts.chat.pending.attachments(files)}]`;
  return [textOf(content), suffix].filter((part) => part !== "").join(" ");
}
