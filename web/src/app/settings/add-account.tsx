import { type FormEvent, useId, useState } from "react";
import { useConnected } from "../app-context.js";
import { useStore } from "../state/store.js";
import { useSettings } from "./settings-context.js";

const DEFAULT_ACCOUNT = "default";

/** Adds an account on a chat platform. The gateway connects at once, and the list shows how that went. */
export function AddAccount() {
  const { app } = useConnected();
  const { store } = useSettings();
  const platforms = useStore(app.platforms);
  const [channel, setChannel] = useState("");
  const [account, setAccount] = useState(DEFAULT_ACCOUNT);
  const [problem, setProblem] = useState<string>();
  const [platform, name, secret] = [useId(), useId(), useId()];
  const secretName = platforms.find((one) => one.name === channel)?.secret;
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = secretName === undefined ? {} : { [secretName]: String(form.get("secret")) };
    const found = await store.save([{ path: ["channels", channel, account], value }]);
    setProblem(found?.text);
    if (found !== undefined) return;
    setChannel("");
    setAccount(DEFAULT_ACCOUNT);
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
          {platforms.map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
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
              className="field"
              required
              value={account}
              onChange={({ target }) => setAccount(target.value)}
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
          {secretName === undefined && (
            <p className="setting-hint">
              Then link it with your phone: stop the gateway and run{" "}
              <code>
                dragoman channels add {account === DEFAULT_ACCOUNT ? channel : `${channel}/${account}`}
              </code>
              , which shows a code to scan.
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
