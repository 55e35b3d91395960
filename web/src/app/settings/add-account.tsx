import { type FormEvent, useId, useState } from "react";
import { titleOfOrigin } from "../state/origin.js";
import { platforms } from "./platforms.js";
import { useSettings } from "./settings-context.js";

/** Adds an account on a chat platform. The gateway connects at once, and the list shows how that went. */
export function AddAccount() {
  const { store } = useSettings();
  const [channel, setChannel] = useState("");
  const [problem, setProblem] = useState<string>();
  const [platform, name, secret] = [useId(), useId(), useId()];
  const secretName = platforms[channel];
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = secretName === undefined ? {} : { [secretName]: String(form.get("secret")) };
    const found = await store.save([{ path: ["channels", channel, String(form.get("name"))], value }]);
    setProblem(found?.text);
    if (found === undefined) setChannel("");
  };
  return (
    <form className="settings-form" onSubmit={(event) => void save(event)}>
      <h3>Add a channel</h3>
      <div className="setting">
        <label htmlFor={platform}>Platform</label>
        <select
          id={platform}
          className="field"
          value={channel}
          onChange={({ target }) => setChannel(target.value)}
        >
          <option value="">Choose one</option>
          {Object.keys(platforms).map((one) => (
            <option key={one} value={one}>
              {titleOfOrigin(one)}
            </option>
          ))}
        </select>
      </div>
      {channel !== "" && (
        <>
          <div className="setting">
            <label htmlFor={name}>Name</label>
            <input
              id={name}
              name="name"
              className="field"
              required
              defaultValue="default"
              autoComplete="off"
            />
          </div>
          {secretName !== undefined && (
            <div className="setting">
              <label htmlFor={secret}>{secretName === "token" ? "Bot token" : "Secret"}</label>
              <input
                id={secret}
                name="secret"
                type="password"
                className="field"
                required
                autoComplete="off"
                spellCheck={false}
              />
            </div>
          )}
          {channel === "whatsapp" && (
            <p className="setting-hint">
              Then run <code>dragoman channels link whatsapp</code> and scan the code with your phone.
            </p>
          )}
          {problem !== undefined && (
            <p className="setting-problem" role="alert">
              {problem}
            </p>
          )}
          <span className="setting-buttons">
            <button type="submit" className="button-primary">
              Add
            </button>
          </span>
        </>
      )}
    </form>
  );
}
