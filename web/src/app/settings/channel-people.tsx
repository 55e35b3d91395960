import { day } from "../../transcript/dates.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import { useSettings } from "./settings-context.js";

/** The people who were approved, and those who wait for it. */
export function ChannelPeople() {
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
      <h3>People</h3>
      <ul className="settings-rows">
        {requests.map(({ channel, account, id, name, code }) => (
          <li key={code} className="settings-row">
            <strong>
              <bdi>{visible(name ?? id)}</bdi>
            </strong>
            <span className="settings-row-state">
              {titleOf(channel)} · waits with the code <code>{code}</code>
            </span>
            <span className="setting-buttons">
              <button
                type="button"
                className="button-primary"
                onClick={() => act(() => client.call("channels.approve", { code }))}
              >
                Approve
              </button>
              <button
                type="button"
                className="button"
                onClick={() => act(() => client.call("channels.revoke", { channel, account, id }))}
              >
                Reject
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
              {titleOf(channel)} · {owner ? "owner" : "approved"} since {day(since)}
            </span>
            <span className="setting-buttons">
              <button
                type="button"
                className="button"
                onClick={() => act(() => client.call("channels.revoke", { channel, account, id }))}
              >
                Revoke
              </button>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
