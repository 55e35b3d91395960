import type { RpcPermissionRequest } from "dragoman/client";
import { useId } from "react";
import { Icon } from "../../theme/icon.js";
import { useKeyDown } from "../../theme/use-key-down.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import type { ChatSession, PermissionAnswer } from "../state/chat-session.js";

interface PermissionPromptProps {
  request: RpcPermissionRequest;
  session: ChatSession;
  mayAnswer: boolean;
}

/** With Alt, so that a user who is typing when the prompt appears does not answer it by accident. */
const answers: readonly { answer: PermissionAnswer; code: string; label: string }[] = [
  { answer: "once", code: "KeyY", label: "Allow once" },
  { answer: "session", code: "KeyA", label: "Allow for this session" },
  { answer: "never", code: "KeyN", label: "Deny" },
];

/** Asks the user whether a tool may run. */
export function PermissionPrompt({ request, session, mayAnswer }: PermissionPromptProps) {
  const { app } = useConnected();
  const { id, toolCall } = request;
  const title = useId();

  useKeyDown((event) => {
    const chosen = answers.find(({ code }) => event.altKey && event.code === code);
    if (!mayAnswer || chosen === undefined || event.defaultPrevented) return;
    event.preventDefault();
    void app.attempt(() => session.answerPermission(id, chosen.answer));
  });

  return (
    <section className="permission" aria-labelledby={title} role="alert">
      <p id={title}>
        <Icon name="shield" /> Allow <code>{visible(toolCall.name)}</code> to run?
      </p>
      <pre>{visible(shownCall(request))}</pre>
      {mayAnswer ? (
        <div className="permission-answers">
          {answers.map(({ answer, code, label }) => (
            <button
              key={answer}
              type="button"
              className={answer === "once" ? "button-primary" : "button"}
              onClick={() => void app.attempt(() => session.answerPermission(id, answer))}
            >
              {label} <kbd>Alt {code.at(-1)}</kbd>
            </button>
          ))}
        </div>
      ) : (
        <p>Answering requires an admin token.</p>
      )}
    </section>
  );
}

/** A subject from the arguments, such as a path or a command, says enough; the name of a server's tool does not. */
function shownCall({ toolCall, subject }: RpcPermissionRequest): string {
  const args = JSON.stringify(toolCall.arguments, null, 2);
  if (subject === undefined) return args;
  const isArgument = Object.values(toolCall.arguments).some(
    (value) => typeof value === "string" && value.endsWith(subject),
  );
  return isArgument ? subject : `${subject}\n${args}`;
}
