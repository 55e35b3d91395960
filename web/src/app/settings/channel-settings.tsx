import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { channelNotes } from "../home/channels-card.js";
import type { Platform } from "../state/chat-app.js";
import { namesAt, type SettingPath } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { AddAccount } from "./add-account.js";
import { ChannelPeople } from "./channel-people.js";
import { SecretForm } from "./secret-form.js";
import { SettingField } from "./setting-field.js";
import { useSettings } from "./settings-context.js";

const REFRESH_MS = 2000;

/** The accounts on chat platforms, and the people who may use them. */
export function ChannelSettings() {
  const { app, client, welcome } = useConnected();
  const { settings } = useSettings();
  const accounts = useStore(app.platforms).flatMap((platform) =>
    namesAt(settings.config, ["channels", platform.name]).map((account) => ({ platform, account })),
  );
  useEffect(() => {
    const refresh = () => void app.home.refresh(client, welcome).catch(() => undefined);
    refresh();
    // After a change, the channels connect again.
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [app, client, welcome]);
  return (
    <>
      {accounts.length === 0 && <p>{texts.settings.channels.none}</p>}
      {accounts.map(({ platform, account }) => (
        <AccountSettings key={`${platform.name}/${account}`} platform={platform} account={account} />
      ))}
      <AddAccount />
      <ChannelPeople />
    </>
  );
}

function AccountSettings({ platform, account }: { platform: Platform; account: string }) {
  const t = texts.settings.channels;
  const { name: channel, title, secret } = platform;
  const { app } = useConnected();
  const { store } = useSettings();
  const agents = useStore(app.agents).map(({ id }) => id);
  const status = useStore(app.home.state).channels.find(
    (one) => one.channel === channel && one.account === account,
  );
  const [isReplacing, setReplacing] = useState(false);
  const at = (name: string) => ["channels", channel, account, name];
  const save = async (path: SettingPath, value?: unknown) =>
    (await store.save([{ path: [...path], ...(value === undefined ? {} : { value }) }]))?.text;
  return (
    <details className="settings-fold">
      <summary>
        <Icon name="chevron" />
        {status !== undefined && <span className="state-mark" data-state={status.state} aria-hidden="true" />}
        <span className="one-line">
          {title} · {visible(account)}
        </span>
        {status !== undefined && (
          <>
            <span className="home-state">{texts.home.channelStates[status.state]}</span>
            {channelNotes(status).map((line) => (
              <span key={line} className="setting-hint">
                {line}
              </span>
            ))}
          </>
        )}
      </summary>
      <div className="settings-fields">
        <SettingField path={at("agent")} label={t.agent} options={agents} placeholder="main" />
        <SettingField
          path={at("direct")}
          label={t.strangers}
          options={["pairing", "allowlist", "open", "off"]}
          placeholder="pairing"
          hint={t.strangersHint}
        />
        <SettingField
          path={at("groups")}
          label={t.groups}
          options={["mention", "always", "off"]}
          placeholder="mention"
        />
        <SettingField path={at("allow")} label={t.people} kind="list" hint={t.peopleHint} />
        <SettingField path={at("owners")} label={t.owners} kind="list" hint={t.ownersHint} />
      </div>
      <span className="setting-buttons">
        {secret !== undefined && (
          <button type="button" className="button" onClick={() => setReplacing(true)}>
            {t.replace(secret)}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => void save(["channels", channel, account]).then((problem) => app.notice.set(problem))}
        >
          {t.remove(visible(account))}
        </button>
      </span>
      {isReplacing && secret !== undefined && (
        <SecretForm
          label={t.newSecret(secret)}
          onCancel={() => setReplacing(false)}
          onSave={async (value) => {
            const problem = await save(at(secret), value);
            if (problem === undefined) setReplacing(false);
            return problem;
          }}
        />
      )}
    </details>
  );
}
