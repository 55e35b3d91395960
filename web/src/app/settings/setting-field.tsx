import { type FormEvent, useEffect, useId, useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { fieldText, type SettingKind, settingValue } from "../state/setting-values.js";
import { problemOf, type SettingPath, settingAt } from "../state/settings.js";
import { useSettings } from "./settings-context.js";

interface SettingFieldProps {
  path: SettingPath;
  label: string;
  kind?: SettingKind;
  hint?: string;
  /** What applies if the setting is empty. */
  placeholder?: string;
  /** The possible values, or suggestions if `isOpen`. */
  options?: readonly string[];
  isOpen?: boolean;
}

/** One setting. It is saved on its own, and its problem is shown below it. */
export function SettingField(props: SettingFieldProps) {
  const { path, label, kind = "text", hint } = props;
  const { store, settings } = useSettings();
  const stored = fieldText(settingAt(settings.config, path), kind);
  const [text, setText] = useState(stored);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const id = useId();
  useEffect(() => {
    setText(stored);
    setProblem(undefined);
  }, [stored]);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    try {
      const value = settingValue(text, kind);
      const found = await store.save([{ path: [...path], ...(value === undefined ? {} : { value }) }]);
      setProblem(found?.text);
    } catch (error) {
      setProblem(problemOf(error).text);
    }
    setSaving(false);
  };
  const described = problem !== undefined ? `${id}-problem` : hint === undefined ? undefined : `${id}-hint`;
  return (
    <form className="setting" data-kind={kind} onSubmit={(event) => void save(event)}>
      <label htmlFor={id}>{label}</label>
      <div className="setting-value">
        <Control
          {...props}
          kind={kind}
          id={id}
          text={text}
          described={described}
          isInvalid={problem !== undefined}
          onText={setText}
        />
        {text !== stored && (
          <span className="setting-buttons">
            <button type="submit" className="button-primary" disabled={isSaving}>
              {texts.controls.save}
            </button>
            <button type="button" className="button" onClick={() => setText(stored)}>
              {texts.controls.cancel}
            </button>
          </span>
        )}
      </div>
      {problem !== undefined ? (
        <p id={`${id}-problem`} className="setting-problem" role="alert">
          {problem}
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-hint`} className="setting-hint">
            <RichText text={hint} />
          </p>
        )
      )}
    </form>
  );
}

interface ControlProps extends SettingFieldProps {
  kind: SettingKind;
  id: string;
  text: string;
  described: string | undefined;
  isInvalid: boolean;
  onText(text: string): void;
}

function Control({
  kind,
  id,
  text,
  described,
  isInvalid,
  options,
  isOpen,
  placeholder = "",
  onText,
}: ControlProps) {
  const shared = {
    id,
    className: "field",
    value: text,
    "aria-describedby": described,
    "aria-invalid": isInvalid,
    onChange: ({ target }: { target: { value: string } }) => onText(target.value),
  };
  if (options !== undefined && isOpen !== true) {
    return (
      <select {...shared}>
        <option value="">{placeholder === "" ? texts.settings.default : placeholder}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "long" || kind === "list" || kind === "json") {
    const rows = Math.min(16, Math.max(kind === "long" ? 4 : 2, text.split("\n").length));
    return <textarea {...shared} rows={rows} placeholder={placeholder} spellCheck={kind === "long"} />;
  }
  return (
    <>
      <input
        {...shared}
        inputMode={kind === "number" ? "numeric" : "text"}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        list={options === undefined ? undefined : `${id}-list`}
      />
      {options !== undefined && (
        <datalist id={`${id}-list`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </>
  );
}
