import { useEffect, useMemo } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { PageHeader } from "../page-header.js";
import { hashOf, type SettingsSection, settingsSections } from "../state/route.js";
import { SettingsStore } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { AgentSettings } from "./agent-settings.js";
import { BrowserSettings } from "./browser-settings.js";
import { ChannelSettings } from "./channel-settings.js";
import { ModelSettings } from "./model-settings.js";
import "./settings.css";
import { SettingsProvider } from "./settings-context.js";
import { TokenSettings } from "./token-settings.js";

/** The gateway's settings, and those of this browser. */
export function SettingsPage({ section }: { section: SettingsSection }) {
  const { app, client } = useConnected();
  const store = useMemo(() => new SettingsStore(client, () => app.listChoices()), [app, client]);
  const settings = useStore(store.state);
  useEffect(() => {
    void app.attempt(() => store.load());
  }, [app, store]);
  useEffect(() => {
    app.pageTitle.set(texts.settings.title);
    return () => app.pageTitle.set("");
  }, [app]);
  return (
    <>
      <PageHeader title={texts.settings.title} />
      <div className="settings">
        <nav className="settings-sections" aria-label={texts.settings.title}>
          {settingsSections.map((name) => (
            <a
              key={name}
              href={hashOf({ page: "settings", section: name })}
              aria-current={name === section ? "page" : undefined}
            >
              {texts.settings.sections[name]}
            </a>
          ))}
        </nav>
        {settings === undefined ? (
          <p role="status">{texts.controls.loading}</p>
        ) : (
          <SettingsProvider value={{ store, settings }}>
            <div className="settings-section" key={section}>
              <h2>{texts.settings.sections[section]}</h2>
              <Section section={section} />
              {section !== "browser" && section !== "tokens" && (
                <p className="setting-hint">
                  <RichText text={texts.settings.stored} path={<code>{settings.path}</code>} />
                </p>
              )}
            </div>
          </SettingsProvider>
        )}
      </div>
    </>
  );
}

function Section({ section }: { section: SettingsSection }) {
  switch (section) {
    case "models":
      return <ModelSettings />;
    case "agents":
      return <AgentSettings />;
    case "channels":
      return <ChannelSettings />;
    case "tokens":
      return <TokenSettings />;
    case "browser":
      return <BrowserSettings />;
  }
}
