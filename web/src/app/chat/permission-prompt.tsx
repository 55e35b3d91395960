import type { RpcPermissionRequest } from "dragoman/client";
import { useEffect, useId } from "react";
import { Icon } from "../../theme/icon.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import type { ChatSession, PermissionAnswer } from "../state/chat-session.js";

interface PermissionPromptProps {
  request: RpcPermissionRequest;
  session: ChatSession;
  mayAnswer: boolean;
}

/** The keys have Alt: whoever types a message when the question comes up must not answer it by that. */
const answers: readonly { answer: PermissionAnswer; code: string; label: string }[] = [
  { answer: "once", code: "KeyY", label: "Allow once" },
  { answer: "session", code: "KeyA", label: "Allow in this session" },
  { answer: "never", code: "KeyN", label: "Do not allow" },
];

/** A tool needs a yes. */
export function PermissionPrompt({ request, session, mayAnswer }: PermissionPromptProps) {
  const { app } = useConnected();
  const { id, toolCall, subject } = request;
  const title = useId();

  useEffect(() => {
    if (!mayAnswer) return;
    const onKey = (event: KeyboardEvent) => {
      const chosen = answers.find(({ code }) => event.altKey && event.code === code);
      if (chosen === undefined || event.defaultPrevented) return;
      event.preventDefault();
      void app.attempt(() => session.answer(id, chosen.answer));
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [app, session, id, mayAnswer]);

  return (
    <section className="permission" aria-labelledby={title} role="alert">
      <p id={title}>
        <Icon name="shield" /> May <code>{visible(toolCall.name)}</code> run?
      </p>
      <pre>{visible(subject ?? JSON.stringify(toolCall.arguments, null, 2))}</pre>
      {mayAnswer ? (
        <div className="permission-answers">
          {answers.map(({ answer, code, label }) => (
            <button
              key={answer}
              type="button"
              className={answer === "once" ? "button-primary" : "button"}
              onClick={() => void app.attempt(() => session.answer(id, answer))}
            >
              {label} <kbd>Alt {code.at(-1)}</kbd>
            </button>
          ))}
        </div>
      ) : (
        <p>Only somebody with an admin token can answer this.</p>
      )}
    </section>
  );
}
