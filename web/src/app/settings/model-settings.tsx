import { useState } from "react";
import { texts } from "../../text/texts.js";
import { duration } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";
import type { Provider } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { AddProvider } from "./add-provider.js";
import { SecretForm } from "./secret-form.js";
import { SettingField } from "./setting-field.js";
import { useSettings } from "./settings-context.js";

const MODELS_EXAMPLE = '{"openai/gpt-5.2": {}}';

/** The default model, and the providers with their keys. */
export function ModelSettings() {
  const t = texts.settings.models;
  const { app } = useConnected();
  const { settings } = useSettings();
  const models = useStore(app.models);
  const [isAll, setAll] = useState(false);
  const shown = settings.providers.filter(
    (provider) => isAll || provider.configured || provider.common || hasKey(provider),
  );
  const rest = settings.providers.length - shown.length;
  return (
    <>
      <SettingField
        path={["model"]}
        label={t.default}
        placeholder="demo/echo"
        hint={t.defaultHint}
        options={models.filter(({ ready }) => ready).map(({ id }) => id)}
        isOpen
      />
      <SettingField path={["models"]} label={t.allowed} kind="json" hint={t.allowedHint(MODELS_EXAMPLE)} />
      <h3>{t.providers}</h3>
      <ul className="settings-rows">
        {shown.map((provider) => (
          <ProviderRow key={provider.name} provider={provider} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" className="button" onClick={() => setAll(true)}>
          {t.showMore(rest)}
        </button>
      )}
      <AddProvider />
    </>
  );
}

function ProviderRow({ provider }: { provider: Provider }) {
  const t = texts.settings.models;
  const { app, client } = useConnected();
  const { store } = useSettings();
  const { name, key, variables, configured, model } = provider;
  const [isAdding, setAdding] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const isUsable = key !== "missing";
  // A server on this computer works without a key, and may still ask for one.
  const acceptsKey = key !== "credentials" && (key !== "unneeded" || configured);
  const keyPath = ["providers", name, "apiKey"];
  const test = async () => {
    if (model === undefined) return;
    setOutcome(t.asking(model));
    try {
      const { works, ms, detail } = await client.call("providers.test", { model });
      setOutcome(works ? t.answered(model, duration(ms)) : detail);
    } catch (error) {
      setOutcome(errorText(error));
    }
  };
  return (
    <li>
      <div className="settings-row">
        <span className="state-mark" data-state={isUsable ? "connected" : "none"} aria-hidden="true" />
        <strong>{visible(name)}</strong>
        <span className="settings-row-state" title={variables.join(", ")}>
          {t.keys[key]}
        </span>
        <span className="setting-buttons">
          {isUsable && model !== undefined && (
            <button type="button" className="button" onClick={() => void test()}>
              {t.test}
            </button>
          )}
          {acceptsKey && !isAdding && (
            <button type="button" className="button" onClick={() => setAdding(true)}>
              {hasKey(provider) ? t.replaceKey : t.addKey}
            </button>
          )}
          {key === "config" && (
            <button
              type="button"
              className="button"
              onClick={() =>
                void app.attempt(async () => {
                  const problem = await store.save([{ path: keyPath }]);
                  if (problem !== undefined) throw new Error(problem.text);
                })
              }
            >
              {t.removeKey}
            </button>
          )}
        </span>
      </div>
      {isAdding && (
        <SecretForm
          label={t.apiKey(name)}
          onCancel={() => setAdding(false)}
          onSave={async (secret) => {
            const problem = await store.save([{ path: keyPath, value: secret }]);
            if (problem !== undefined) return problem.text;
            setAdding(false);
            return undefined;
          }}
        />
      )}
      {outcome !== undefined && (
        <p className="setting-hint" role="status">
          {visible(outcome)}
        </p>
      )}
      {configured && (
        <SettingField
          path={["providers", name, "baseUrl"]}
          label={t.addressOf(name)}
          placeholder={t.ownAddress}
        />
      )}
    </li>
  );
}

function hasKey({ key }: Provider): boolean {
  return key !== "missing" && key !== "unneeded";
}
