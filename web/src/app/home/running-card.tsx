import { texts } from "../../text/texts.js";
import { listed } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import type { Run } from "../state/home-feed.js";
import { hashOf } from "../state/route.js";
import { useStore } from "../state/store.js";
import { SessionLabel } from "./session-label.js";

/** The sessions whose agents are working. */
export function RunningCard() {
  const { app } = useConnected();
  const { runs, waiting } = useStore(app.home.state);
  const working = runs.filter(({ id }) => !waiting.some((one) => one.id === id));
  if (working.length === 0) return null;
  return (
    <section className="home-card" aria-labelledby="home-running">
      <h2 id="home-running">{texts.home.running}</h2>
      <ul className="home-list">
        {working.map((run) => (
          <li key={run.id}>
            <a href={hashOf({ page: "session", id: run.id })}>
              <span className="busy-mark" aria-hidden="true" />
              <SessionLabel id={run.id} agent={run.agent} />
            </a>
            <p className="home-quiet">{activityOf(run)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function activityOf({ tools, watchers }: Run): string {
  const names = [...new Set(tools)].map(visible);
  const doing = names.length === 0 ? texts.home.answering : texts.home.runningTools(listed(names));
  return watchers === 0 ? doing : `${doing} · ${texts.home.viewers(watchers)}`;
}
