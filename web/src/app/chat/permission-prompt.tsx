import type { RpcPermissionRequest } from "dragoman/client";
import { useId } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { useKeyDown } from "../../theme/use-key-down.js";
import { CallPreview } from "../../transcript/tools/call-preview.js";
import { visible } from "../../transcript/visible-text.js";
import type { OnPermissionAnswer } from "../state/chat-session.js";
import { RequestExpiry } from "./request-expiry.js";

interface PermissionPromptProps {
  request: RpcPermissionRequest;
  mayAnswer: boolean;
  /** Whether keys answer it; false where several requests are shown. */
  hasKeys?: boolean;
  onAnswer: OnPermissionAnswer;
}

/** With Alt, so that a user who is typing when the prompt appears does not answer it by accident. */
const answers: readonly { answer: keyof typeof texts.chat.permission.answers; code: string }[] = [
  { answer: "once", code: "KeyY" },
  { answer: "session", code: "KeyA" },
  { answer: "never", code: "KeyN" },
];

/** Asks the user whether a tool may run. */
export function PermissionPrompt({ request, mayAnswer, hasKeys = true, onAnswer }: PermissionPromptProps) {
  const t = texts.chat.permission;
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
        <Icon name="shield" /> <RichText text={t.question} tool={<code>{visible(toolCall.name)}</code>} />
      </p>
      <div className="permission-call">
        <CallPreview call={toolCall} subject={subject} />
      </div>
      <RequestExpiry expires={request.expires} />
      {mayAnswer ? (
        <div className="permission-answers">
          {answers.map(({ answer, code }) => (
            <button
              key={answer}
              type="button"
              className={answer === "once" ? "button-primary" : "button"}
              onClick={() => onAnswer(id, answer)}
            >
              {t.answers[answer]}{" "}
              {hasKeys && (
                <kbd>
                  {texts.shell.shortcuts.keys.alt} {code.at(-1)}
                </kbd>
              )}
            </button>
          ))}
        </div>
      ) : (
        <p>{t.needsAdmin}</p>
      )}
    </section>
  );
}
