import { useId, useState } from "react";
import { texts } from "../../text/texts.js";

interface SecretFormProps {
  label: string;
  /** Returns what is wrong, if anything is. */
  onSave(secret: string): Promise<string | undefined>;
  onCancel(): void;
}

/** A field for a key or a token, which is sent once and never shown again. */
export function SecretForm({ label, onSave, onCancel }: SecretFormProps) {
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState<string>();
  const id = useId();
  return (
    <form
      className="setting"
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(secret.trim()).then(setProblem);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <div className="setting-value">
        <input
          id={id}
          className="field"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={secret}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => setSecret(target.value)}
        />
        <span className="setting-buttons">
          <button type="submit" className="button-primary" disabled={secret.trim() === ""}>
            {texts.controls.save}
          </button>
          <button type="button" className="button" onClick={onCancel}>
            {texts.controls.cancel}
          </button>
        </span>
      </div>
      <p id={`${id}-problem`} className="setting-problem" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
    </form>
  );
}
