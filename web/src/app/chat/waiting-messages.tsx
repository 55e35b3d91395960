import { useConnected } from "../app-context.js";
import type { ChatSession } from "../state/chat-session.js";
import type { Conversation } from "../state/conversation.js";
import { textOf } from "../state/plain-words.js";
import { imagesOf } from "./editing.js";

/** What was said and is not part of the conversation yet: on its way, refused, or waiting for its turn. */
export function WaitingMessages({ session, state }: { session: ChatSession; state: Conversation }) {
  const { app } = useConnected();
  if (state.queued.length === 0 && state.outbox.length === 0) return null;
  return (
    <ul className="waiting" aria-label="Waiting messages">
      {state.queued.map(({ id, content }) => (
        <li key={id} className="waiting-message">
          <p>{summaryOf(content)}</p>
          <span className="waiting-state">Queued</span>
        </li>
      ))}
      {state.outbox.map((message) => (
        <li key={message.key} className="waiting-message" data-refused={message.refused !== undefined}>
          <p>{summaryOf(message.content)}</p>
          {message.refused === undefined ? (
            <span className="waiting-state">Sending…</span>
          ) : (
            <span className="waiting-state" role="alert">
              {message.refused}
              <button
                type="button"
                className="link-button"
                onClick={() => void app.attempt(() => session.sendAgain(message))}
              >
                Send again
              </button>
              <button type="button" className="link-button" onClick={() => session.withdraw(message.key)}>
                Discard
              </button>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function summaryOf(content: Parameters<typeof textOf>[0]): string {
  const images = imagesOf(content).length;
  const counted = images === 0 ? [] : [`[${images} ${images === 1 ? "image" : "images"}]`];
  return [textOf(content), ...counted].filter((part) => part !== "").join(" ");
}
