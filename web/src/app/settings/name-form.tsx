import { useId, useState } from "react";
import { texts } from "../../text/texts.js";

interface NameFormProps {
  button: string;
  label: string;
  hint: string;
  /** Returns what is wrong with the name, if anything is. */
  onAdd(name: string): Promise<string | undefined>;
}

/** A button that asks for the name of something new. */
export function NameForm({ button, label, hint, onAdd }: NameFormProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const id = useId();
  if (!isOpen) {
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {button}
      </button>
    );
  }
  return (
    <form
      className="setting"
      onSubmit={(event) => {
        event.preventDefault();
        void onAdd(name.trim()).then((found) => {
          setProblem(found);
          if (found !== undefined) return;
          setOpen(false);
          setName("");
        });
      }}
    >
      <label htmlFor={id}>{label}</label>
      <div className="setting-value">
        <input
          id={id}
          className="field"
          value={name}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== undefined}
          onChange={({ target }) => setName(target.value)}
        />
        <span className="setting-buttons">
          <button type="submit" className="button-primary" disabled={name.trim() === ""}>
            {texts.controls.add}
          </button>
          <button type="button" className="button" onClick={() => setOpen(false)}>
            {texts.controls.cancel}
          </button>
        </span>
      </div>
      <p
        id={`${id}-hint`}
        className={problem === undefined ? "setting-hint" : "setting-problem"}
        role={problem === undefined ? undefined : "alert"}
      >
        {problem ?? hint}
      </p>
    </form>
  );
}
