import type { RpcPermissionRequest } from "dragoman/client";
import { useId } from "react";
import { Icon } from "../../theme/icon.js";
import { useKeyDown } from "../../theme/use-key-down.js";
import { CallPreview } from "../../transcript/tools/call-preview.js";
import { visible } from "../../transcript/visible-text.js";
import type { OnPermissionAnswer, PermissionAnswer } from "../state/chat-session.js";
import { RequestExpiry } from "./request-expiry.js";

interface PermissionPromptProps {
  request: RpcPermissionRequest;
  mayAnswer: boolean;
  /** Whether keys answer it; false where several requests are shown. */
  hasKeys?: boolean;
  onAnswer: OnPermissionAnswer;
}

/** With Alt, so that a user who is typing when the prompt appears does not answer it by accident. */
const answers: readonly { answer: PermissionAnswer; code: string; label: string }[] = [
  { answer: "once", code: "KeyY", label: "Allow once" },
  { answer: "session", code: "KeyA", label: "Allow for this session" },
  { answer: "never", code: "KeyN", label: "Deny" },
];

/** Asks the user whether a tool may run. */
export function PermissionPrompt({ request, mayAnswer, hasKeys = true, onAnswer }: PermissionPromptProps) {
  const { id, toolCall, subject } = request;
  const title = useId();

  useKeyDown((event) => {
    const chosen = answers.find(({ code }) => event.altKey && event.code === code);
    if (!hasKeys || !mayAnswer || chosen === undefined || event.defaultPrevented) return;
    event.preventDefault();
    onAnswer(id, chosen.answer);
  });

  return (
    <section className="permission" aria-labelledby={title} role="alert">
      <p id={title}>
        <Icon name="shield" /> Allow <code>{visible(toolCall.name)}</code> to run?
      </p>
      <div className="permission-call">
        <CallPreview call={toolCall} subject={subject} />
      </div>
      <RequestExpiry expires={request.expires} />
      {mayAnswer ? (
        <div className="permission-answers">
          {answers.map(({ answer, code, label }) => (
            <button
              key={answer}
              type="button"
              className={answer === "once" ? "button-primary" : "button"}
              onClick={() => onAnswer(id, answer)}
            >
              {label} {hasKeys && <kbd>Alt {code.at(-1)}</kbd>}
            </button>
          ))}
        </div>
      ) : (
        <p>Answering requires an admin token.</p>
      )}
    </section>
  );
}
