import { useState } from "react";
import { type ColourScheme, chooseScheme, chosenScheme } from "../../theme/colour-scheme.js";
import { useConnected } from "../app-context.js";
import { useSettings } from "./settings-context.js";

const schemes: readonly (readonly [ColourScheme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const notes = {
  on: "You are notified when an agent needs you or has finished while you look elsewhere.",
  off: "Off.",
  blocked: "Blocked in the settings of this browser.",
  unsupported: "This browser notifies only pages from this computer or over HTTPS.",
};

/** What is stored in this browser only. */
export function BrowserSettings() {
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
        <legend>Appearance</legend>
        <span className="setting-choices">
          {schemes.map(([value, label]) => (
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
              {label}
            </label>
          ))}
        </span>
      </fieldset>
      <div className="setting">
        <h3>Notifications</h3>
        <p>{notes[state]}</p>
        {(state === "on" || state === "off") && (
          <button type="button" className="button" onClick={() => void toggle()}>
            {state === "on" ? "Turn off" : "Turn on"}
          </button>
        )}
      </div>
      <div className="setting">
        <h3>Stay signed in</h3>
        <p>
          The link that <code>dragoman serve</code> prints is valid until the gateway stops. A token of its
          own keeps this browser signed in; revoke it under Tokens.
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
          {isKept ? "This browser stays signed in" : "Stay signed in"}
        </button>
      </div>
    </div>
  );
}
