import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { useStore } from "../state/store.js";
import { SessionLinks } from "./session-links.js";

/** The latest sessions of all programs. */
export function RecentSessions() {
  const { app } = useConnected();
  const { recent } = useStore(app.home.state);
  if (recent === undefined || recent.length === 0) return null;
  return (
    <section className="home-section" aria-labelledby="home-recent">
      <h2 id="home-recent">{texts.home.recent}</h2>
      <SessionLinks sessions={recent} />
      <p className="home-all">
        <a href="#/sessions">{texts.home.allSessions}</a>
      </p>
    </section>
  );
}
