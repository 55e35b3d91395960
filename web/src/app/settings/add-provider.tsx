import { type FormEvent, useId, useState } from "react";
import { texts } from "../../text/texts.js";
import type { SettingProblem } from "../state/settings.js";
import { useSettings } from "./settings-context.js";

/** Adds a server with OpenAI's API, which is the default, such as one on this computer or in the same network. */
export function AddProvider() {
  const t = texts.settings.models;
  const { store } = useSettings();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<SettingProblem>();
  const [name, address] = [useId(), useId()];
  if (!isOpen) {
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t.addServer}
      </button>
    );
  }
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [given, baseUrl] = [String(form.get("name")), String(form.get("address"))];
    const found = await store.save([{ path: ["providers", given], value: { baseUrl } }]);
    setProblem(found);
    if (found === undefined) setOpen(false);
  };
  return (
    <form className="settings-form" onSubmit={(event) => void save(event)}>
      <h3>{t.server}</h3>
      <div className="setting">
        <label htmlFor={name}>{texts.settings.name}</label>
        <input
          id={name}
          name="name"
          className="field"
          required
          placeholder="my-server"
          autoComplete="off"
          aria-invalid={problem !== undefined}
        />
      </div>
      <div className="setting">
        <label htmlFor={address}>{t.address}</label>
        <input
          id={address}
          name="address"
          className="field"
          type="url"
          required
          placeholder="http://127.0.0.1:8000/v1"
          autoComplete="off"
        />
      </div>
      {problem !== undefined && (
        <p className="setting-problem" role="alert">
          {problem.text}
        </p>
      )}
      <span className="setting-buttons">
        <button type="submit" className="button-primary">
          {texts.controls.add}
        </button>
        <button type="button" className="button" onClick={() => setOpen(false)}>
          {texts.controls.cancel}
        </button>
      </span>
    </form>
  );
}
