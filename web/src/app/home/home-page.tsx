import { useEffect } from "react";
import { texts } from "../../text/texts.js";
import { useConnected, useMay } from "../app-context.js";
import { PageHeader } from "../page-header.js";
import { useStore } from "../state/store.js";
import { ChannelsCard } from "./channels-card.js";
import "./home.css";
import { OpenTranscriptCard } from "./open-transcript-card.js";
import { RecentSessions } from "./recent-sessions.js";
import { RunningCard } from "./running-card.js";
import { StartChat } from "./start-chat.js";
import { WaitingCard } from "./waiting-card.js";

/** How often the state of channels and pairing requests is read while the page is visible. */
const REFRESH_MS = 15_000;

/** What waits for the user, what runs, and where to continue, below the field for a new message. */
export function HomePage() {
  const { app } = useConnected();
  const may = useMay();
  const { sessions, isLoaded } = useStore(app.list);
  const { channels, recent } = useStore(app.home.state);
  useHomeRefresh();
  const isEmpty = isLoaded && sessions.size === 0 && channels.length === 0 && (recent?.length ?? 0) === 0;
  return (
    <>
      <PageHeader />
      <div className="home" data-empty={isEmpty}>
        <h1>{texts.home.title}</h1>
        {may("sessions.create") ? <StartChat /> : <p className="chat-read-only">{texts.shell.readOnly}</p>}
        {isLoaded && (
          <>
            <WaitingCard />
            <div className="home-cards">
              <RunningCard />
              <ChannelsCard />
              <OpenTranscriptCard />
            </div>
            <RecentSessions />
          </>
        )}
      </div>
    </>
  );
}

/**
 * Loads the home's state at once, when sessions start or stop working, and regularly while the page is visible; and the latest
 * sessions when one has changed. The list of sessions is loaded meanwhile.
 */
function useHomeRefresh(): void {
  const { app, client, welcome } = useConnected();
  const { busy, asking, sessions } = useStore(app.list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change in the list means that runs have changed
  useEffect(() => {
    void app.attempt(() => app.home.refresh(client, welcome));
  }, [app, client, welcome, busy, asking]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session of the list has changed
  useEffect(() => {
    void app.attempt(() => app.home.refreshRecent(client, welcome));
  }, [app, client, welcome, sessions]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      app.home.refresh(client, welcome).catch(() => undefined);
      app.home.refreshRecent(client, welcome).catch(() => undefined);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [app, client, welcome]);
}
