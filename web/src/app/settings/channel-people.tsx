import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { day } from "../../transcript/dates.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import { useSettings } from "./settings-context.js";

/** The people who were approved, and those who wait for it. */
export function ChannelPeople() {
  const t = texts.settings.channels;
  const { app, client } = useConnected();
  const { store, settings } = useSettings();
  const titleOf = useOriginTitle();
  const { requests, approved } = settings.people;
  const act = (work: () => Promise<unknown>) =>
    void app.attempt(async () => {
      await work();
      await store.load();
    });
  if (requests.length === 0 && approved.length === 0) return null;
  return (
    <>
      <h3>{texts.settings.channels.people}</h3>
      <ul className="settings-rows">
        {requests.map(({ channel, account, id, name, code }) => (
          <li key={code} className="settings-row">
            <strong>
              <bdi>{visible(name ?? id)}</bdi>
            </strong>
            <span className="settings-row-state">
              <RichText text={t.waits} platform={titleOf(channel)} code={<code>{code}</code>} />
            </span>
            <span className="setting-buttons">
              <button
                type="button"
                className="button-primary"
                onClick={() => act(() => client.call("channels.approve", { code }))}
              >
                {texts.home.approve}
              </button>
              <button
                type="button"
                className="button"
                onClick={() => act(() => client.call("channels.revoke", { channel, account, id }))}
              >
                {texts.home.reject}
              </button>
            </span>
          </li>
        ))}
        {approved.map(({ channel, account, id, name, owner, since }) => (
          <li key={`${channel}/${account}/${id}`} className="settings-row">
            <strong>
              <bdi>{visible(name ?? id)}</bdi>
            </strong>
            <span className="settings-row-state">
              {(owner ? t.ownerSince : t.approvedSince)(titleOf(channel), day(since))}
            </span>
            <span className="setting-buttons">
              <button
                type="button"
                className="button"
                onClick={() => act(() => client.call("channels.revoke", { channel, account, id }))}
              >
                {texts.settings.tokens.revoke}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
