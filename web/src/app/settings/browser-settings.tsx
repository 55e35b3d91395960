import { useId, useState } from "react";
import { languageNames, languages } from "../../text/languages.js";
import { RichText } from "../../text/rich-text.js";
import { browserLanguage, chooseLanguage, chosenLanguage, texts } from "../../text/texts.js";
import { type ColourScheme, chooseScheme, chosenScheme } from "../../theme/colour-scheme.js";
import { useConnected } from "../app-context.js";
import { useSettings } from "./settings-context.js";

const schemes: readonly ColourScheme[] = ["system", "light", "dark"];

/** What is stored in this browser only. */
export function BrowserSettings() {
  const t = texts.browserSettings;
  const { app, client } = useConnected();
  const { store } = useSettings();
  const { notifications, link } = app.world;
  const [scheme, setScheme] = useState(chosenScheme);
  const [state, setState] = useState(notifications.state);
  const [isKept, setKept] = useState(false);
  const toggle = async () => {
    if (state === "on") notifications.turnOff();
    else await notifications.turnOn();
    setState(notifications.state);
  };
  return (
    <div className="settings-fields">
      <fieldset className="setting">
        <legend>{t.appearance}</legend>
        <span className="setting-choices">
          {schemes.map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="scheme"
                checked={value === scheme}
                onChange={() => {
                  chooseScheme(value);
                  setScheme(value);
                }}
              />{" "}
              {t.schemes[value]}
            </label>
          ))}
        </span>
      </fieldset>
      <LanguageSetting />
      <div className="setting">
        <h3>{t.notifications}</h3>
        <p>{t.notificationStates[state]}</p>
        {(state === "on" || state === "off") && (
          <button type="button" className="button" onClick={() => void toggle()}>
            {state === "on" ? texts.controls.turnOff : texts.controls.turnOn}
          </button>
        )}
      </div>
      <div className="setting">
        <h3>{t.staySignedIn}</h3>
        <p>
          <RichText text={t.staySignedInNote} />
        </p>
        <button
          type="button"
          className="button"
          disabled={isKept}
          onClick={() =>
            void app.attempt(async () => {
              const name = `browser, ${new Date(app.world.now()).toISOString().slice(0, 10)}`;
              const { secret } = await client.call("tokens.create", { name, scope: "admin" });
              link.keep(secret);
              setKept(true);
              await store.load();
            })
          }
        >
          {isKept ? t.staysSignedIn : t.staySignedIn}
        </button>
      </div>
    </div>
  );
}

/** The page is loaded again in the chosen language; what was typed is kept. */
function LanguageSetting() {
  const t = texts.browserSettings;
  const id = useId();
  const browsers = languages[browserLanguage()].title;
  return (
    <div className="setting">
      <label htmlFor={id}>{t.language}</label>
      <select
        id={id}
        className="field"
        value={chosenLanguage() ?? ""}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => chooseLanguage(languageNames.find((name) => name === target.value))}
      >
        <option value="">{t.browserLanguage(browsers)}</option>
        {languageNames.map((name) => (
          <option key={name} value={name} lang={name}>
            {languages[name].title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="setting-hint">
        {t.languageHint}
      </p>
    </div>
  );
}
