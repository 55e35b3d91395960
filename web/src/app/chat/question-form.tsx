import type { RpcQuestion } from "dragoman/client";
import { type FormEvent, useId } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { visible } from "../../transcript/visible-text.js";
import type { FormContent, OnPermissionAnswer } from "../state/chat-session.js";
import { RequestExpiry } from "./request-expiry.js";

type Field = RpcQuestion["fields"][number];

interface QuestionFormProps {
  id: string;
  question: RpcQuestion;
  expires: number;
  mayAnswer: boolean;
  onAnswer: OnPermissionAnswer;
}

/** Asks the user what an MCP server wants to know: a form, or a page to open. */
export function QuestionForm({ id, question, expires, mayAnswer, onAnswer }: QuestionFormProps) {
  const t = texts.chat.question;
  const { server, message, fields, url } = question;
  const title = useId();
  const accept = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAnswer(id, "once", contentOf(fields, new FormData(event.currentTarget)));
  };
  return (
    <section className="permission" aria-labelledby={title} role="alert">
      <p id={title}>
        <Icon name="shield" /> <RichText text={t.asks} server={<code>{visible(server)}</code>} />
      </p>
      <p>{visible(message)}</p>
      {url === undefined ? null : (
        <p>
          <RichText
            text={t.openPage}
            host={<strong>{new URL(url).host}</strong>}
            link={
              <a href={url} target="_blank" rel="noreferrer noopener">
                {visible(url)}
              </a>
            }
          />
        </p>
      )}
      <RequestExpiry expires={expires} />
      {mayAnswer ? (
        <form onSubmit={accept} className="question-form">
          {fields.length === 0 ? null : (
            <>
              <div className="question-fields">
                {fields.map((field) => (
                  <FieldInput key={field.name} field={field} />
                ))}
              </div>
              <p className="question-note">{t.noSecrets}</p>
            </>
          )}
          <div className="permission-answers">
            <button type="submit" className="button-primary">
              {url === undefined ? texts.controls.send : t.opened}
            </button>
            <button type="button" className="button" onClick={() => onAnswer(id, "never")}>
              {t.decline}
            </button>
          </div>
        </form>
      ) : (
        <p>{texts.chat.permission.needsAdmin}</p>
      )}
    </section>
  );
}

function FieldInput({ field }: { field: Field }) {
  const { name, title, description, type, options = [], required, default: preset } = field;
  const label = (
    <span>
      {required ? texts.chat.question.required(visible(title)) : visible(title)}
      {description === undefined ? null : <small> {visible(description)}</small>}
    </span>
  );
  switch (type) {
    case "boolean":
      return (
        <label>
          <input type="checkbox" name={name} defaultChecked={preset === true} /> {label}
        </label>
      );
    case "choice":
    case "choices":
      return (
        <label>
          {label}
          <select
            name={name}
            multiple={type === "choices"}
            required={required}
            defaultValue={
              Array.isArray(preset) || typeof preset === "string" ? preset : type === "choices" ? [] : ""
            }
          >
            {type === "choice" ? <option value="" /> : null}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {visible(option.title)}
              </option>
            ))}
          </select>
        </label>
      );
    default:
      return (
        <label>
          {label}
          <input
            name={name}
            type={type === "text" ? "text" : "number"}
            step={type === "integer" ? 1 : "any"}
            required={required}
            autoComplete="off"
            defaultValue={preset === undefined ? "" : String(preset)}
          />
        </label>
      );
  }
}

/** The values of a form. An empty field is left out; a checkbox always has a value. */
function contentOf(fields: readonly Field[], form: FormData): FormContent {
  const content: FormContent = {};
  for (const { name, type } of fields) {
    const given = form.getAll(name).filter((value) => typeof value === "string");
    const [first = ""] = given;
    if (type === "boolean") content[name] = given.length > 0;
    else if (type === "choices") content[name] = given;
    else if (first !== "") content[name] = type === "number" || type === "integer" ? Number(first) : first;
  }
  return content;
}
