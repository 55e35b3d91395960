import type { RpcSessionInfo } from "dragoman/client";
import { ago, moment } from "../../transcript/dates.js";
import { dollars } from "../../transcript/numbers.js";
import { useConnected } from "../app-context.js";
import { hashOf, routeTo } from "../state/route.js";
import { titleOf } from "../state/session-title.js";
import { OriginTags } from "./session-label.js";
import "./home.css";

/** Links to sessions of any program, with where they come from, their cost and time. */
export function SessionLinks({ sessions }: { sessions: readonly RpcSessionInfo[] }) {
  const { app } = useConnected();
  return (
    <ul className="recent">
      {sessions.map((session) => (
        <SessionLink key={`${session.source}/${session.id}`} session={session} now={app.world.now()} />
      ))}
    </ul>
  );
}

function SessionLink({ session, now }: { session: RpcSessionInfo; now: number }) {
  const { agent, active, created, usage, unknownPrices } = session;
  const time = active ?? created;
  return (
    <li>
      <a href={hashOf(routeTo(session))}>
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
