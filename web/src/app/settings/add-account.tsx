import { type FormEvent, useId, useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { useStore } from "../state/store.js";
import { useSettings } from "./settings-context.js";

const DEFAULT_ACCOUNT = "default";

/** Adds an account on a chat platform. The gateway connects at once, and the list shows how that went. */
export function AddAccount() {
  const t = texts.settings.channels;
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
      <h3>{t.add}</h3>
      <div className="setting">
        <label htmlFor={platform}>{t.platform}</label>
        <select
          id={platform}
          className="field"
          value={channel}
          onChange={({ target }) => setChannel(target.value)}
        >
          <option value="">{t.choose}</option>
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
            <label htmlFor={name}>{texts.settings.name}</label>
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
              <label htmlFor={secret}>{secretName === "token" ? t.botToken : t.secret}</label>
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
              <RichText
                text={t.link}
                command={
                  <code>
                    dragoman channels add {account === DEFAULT_ACCOUNT ? channel : `${channel}/${account}`}
                  </code>
                }
              />
            </p>
          )}
          {problem !== undefined && (
            <p className="setting-problem" role="alert">
              {problem}
            </p>
          )}
          <span className="setting-buttons">
            <button type="submit" className="button-primary">
              {texts.controls.add}
            </button>
          </span>
        </>
      )}
    </form>
  );
}
