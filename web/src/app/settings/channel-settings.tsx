import { useEffect, useState } from "react";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { ChannelStates } from "../home/channels-card.js";
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
      {accounts.length === 0 ? (
        <p>Talk to your agents in the chat apps that you use, or from your own programs.</p>
      ) : (
        <ChannelStates />
      )}
      {accounts.map(({ platform, account }) => (
        <AccountSettings key={`${platform.name}/${account}`} platform={platform} account={account} />
      ))}
      <AddAccount />
      <ChannelPeople />
    </>
  );
}

function AccountSettings({ platform, account }: { platform: Platform; account: string }) {
  const { name: channel, title, secret } = platform;
  const { app } = useConnected();
  const { store } = useSettings();
  const agents = useStore(app.agents).map(({ id }) => id);
  const [isReplacing, setReplacing] = useState(false);
  const at = (name: string) => ["channels", channel, account, name];
  const save = async (path: SettingPath, value?: unknown) =>
    (await store.save([{ path: [...path], ...(value === undefined ? {} : { value }) }]))?.text;
  return (
    <details className="settings-fold">
      <summary>
        {title} · {visible(account)}
      </summary>
      <div className="settings-fields">
        <SettingField path={at("agent")} label="Agent" options={agents} placeholder="main" />
        <SettingField
          path={at("direct")}
          label="Strangers"
          options={["pairing", "allowlist", "open", "off"]}
          placeholder="pairing"
          hint="pairing: they get a code that you approve. allowlist: no answer. open: everyone gets answers."
        />
        <SettingField
          path={at("groups")}
          label="Groups"
          options={["mention", "always", "off"]}
          placeholder="mention"
        />
        <SettingField path={at("allow")} label="People" kind="list" hint="Platform ids, one in each line." />
        <SettingField path={at("owners")} label="Owners" kind="list" hint="They may give commands." />
      </div>
      <span className="setting-buttons">
        {secret !== undefined && (
          <button type="button" className="button" onClick={() => setReplacing(true)}>
            Replace {secret}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => void save(["channels", channel, account]).then((problem) => app.notice.set(problem))}
        >
          Remove {visible(account)}
        </button>
      </span>
      {isReplacing && secret !== undefined && (
        <SecretForm
          label={`New ${secret}`}
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
