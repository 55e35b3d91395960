import { texts } from "../../text/texts.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import type { ChannelStatus } from "../state/home-feed.js";
import { useStore } from "../state/store.js";

/** The accounts on chat platforms, and how they are. */
export function ChannelsCard() {
  const { app } = useConnected();
  const { channels } = useStore(app.home.state);
  if (channels.length === 0) return null;
  return (
    <section className="home-card" aria-labelledby="home-channels">
      <h2 id="home-channels">{texts.home.channels}</h2>
      <ul className="home-list">
        {channels.map((channel) => (
          <ChannelRow key={`${channel.channel}/${channel.account}`} channel={channel} />
        ))}
      </ul>
    </section>
  );
}

function ChannelRow({ channel: status }: { channel: ChannelStatus }) {
  const titleOf = useOriginTitle();
  const { channel, account, state, me } = status;
  return (
    <li>
      <p className="home-channel">
        <span className="state-mark" data-state={state} aria-hidden="true" />
        <span className="one-line">
          {titleOf(channel)} <bdi className="home-quiet">{visible(me?.name ?? account)}</bdi>
        </span>
        <span className="home-state">{texts.home.channelStates[state]}</span>
      </p>
      {channelNotes(status).map((line) => (
        <p key={line} className="home-quiet">
          {line}
        </p>
      ))}
    </li>
  );
}

/** What is to be known of an account besides its state. */
export function channelNotes({ why, hint, waiting, unsent, unknown, refused }: ChannelStatus): string[] {
  const { channelCounts } = texts.home;
  const counts = [
    [waiting, channelCounts.waiting],
    [unsent, channelCounts.unsent],
    [unknown, channelCounts.unknown],
    [refused, channelCounts.refused],
  ] as const;
  const numbers = counts.flatMap(([value, describe]) => (value === 0 ? [] : describe(value)));
  return [why, hint, ...numbers].flatMap((line) => (line === undefined ? [] : visible(line)));
}
