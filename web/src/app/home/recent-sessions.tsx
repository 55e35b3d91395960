import type { RpcSessionInfo } from "dragoman/client";
import { texts } from "../../text/texts.js";
import { ago, moment } from "../../transcript/dates.js";
import { dollars } from "../../transcript/numbers.js";
import { useConnected } from "../app-context.js";
import { hashOf } from "../state/route.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";
import { viewerAddress } from "../viewer-link.js";
import { OriginTags } from "./session-label.js";

/** The latest sessions of all programs. */
export function RecentSessions() {
  const { app } = useConnected();
  const { recent } = useStore(app.home.state);
  if (recent === undefined || recent.length === 0) return null;
  return (
    <section className="home-section" aria-labelledby="home-recent">
      <h2 id="home-recent">{texts.home.recent}</h2>
      <ul className="recent">
        {recent.map((session) => (
          <RecentRow key={`${session.source}/${session.id}`} session={session} now={app.world.now()} />
        ))}
      </ul>
    </section>
  );
}

function RecentRow({ session, now }: { session: RpcSessionInfo; now: number }) {
  const { id, source, agent, active, created, usage, unknownPrices } = session;
  const time = active ?? created;
  // Another program's session is opened in the viewer.
  const link =
    source === undefined
      ? { href: hashOf({ page: "session", id }) }
      : { href: viewerAddress(id, source), target: "_blank" };
  return (
    <li>
      <a {...link}>
        <bdi className="one-line">{titleOf(session)}</bdi>
        <span className="recent-tags">
          <OriginTags session={session} agent={agent} />
        </span>
        <span className="recent-cost">{costOf(usage.cost.total, unknownPrices)}</span>
        {time === undefined ? (
          <span className="recent-time" />
        ) : (
          <time className="recent-time" dateTime={new Date(time).toISOString()} title={moment(time)}>
            {ago(time, now)}
          </time>
        )}
      </a>
    </li>
  );
}

/** An unknown price is never shown as zero. */
function costOf(total: number, unknownPrices: boolean): string {
  if (total === 0) return unknownPrices ? "?" : "";
  return `${unknownPrices ? "≥ " : ""}${dollars(total)}`;
}
