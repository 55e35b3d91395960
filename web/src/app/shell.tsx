import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { texts } from "../text/texts.js";
import { useKeyDown } from "../theme/use-key-down.js";
import { ConnectedProvider } from "./app-context.js";
import { AttentionMarks } from "./attention-marks.js";
import { ChatPage } from "./chat/chat-page.js";
import { ForeignPage } from "./chat/foreign-page.js";
import { ConnectionBanner } from "./connection-banner.js";
import { FrameProvider } from "./frame-context.js";
import { HomePage } from "./home/home-page.js";
import { DoneNotice, Notice } from "./notice.js";
import { SearchDialog } from "./search/search-dialog.js";
import { SharedPage } from "./shared-page.js";
import "./shell.css";
import { ShortcutsDialog } from "../theme/shortcuts-dialog.js";
import { shortcutList, shortcutOf } from "./shortcuts.js";
import { SideBar } from "./side-bar/side-bar.js";
import { SignIn } from "./sign-in.js";
import type { ChatApp } from "./state/chat-app.js";
import type { Route } from "./state/route.js";
import { useStore } from "./state/store.js";

const UsagePage = lazy(async () => ({ default: (await import("./usage/usage-page.js")).UsagePage }));

const SessionsPage = lazy(async () => ({
  default: (await import("./sessions/sessions-page.js")).SessionsPage,
}));

const SettingsPage = lazy(async () => ({
  default: (await import("./settings/settings-page.js")).SettingsPage,
}));

/** The page: the sign-in form, or the side bar and a chat. */
export function Shell({ app }: { app: ChatApp }) {
  const link = useStore(app.world.link.state);
  if (link.phase === "asking") {
    return <SignIn {...link} onToken={(token, where) => void app.world.link.signIn(token, where)} />;
  }
  if (link.phase === "connecting") return <Connecting isAway={link.isAway} />;
  const { client, welcome } = link;
  const isLost = link.phase === "lost";
  return (
    <ConnectedProvider value={{ app, client, welcome, isLost }}>
      {welcome.session === undefined ? (
        <Frame app={app} isLost={isLost} />
      ) : (
        <SharedPage id={welcome.session} isLost={isLost} />
      )}
    </ConnectedProvider>
  );
}

function Connecting({ isAway }: { isAway: boolean }) {
  return (
    <main className="connecting" aria-busy="true">
      <p role="status">{isAway ? texts.shell.notResponding : texts.shell.connecting}</p>
    </main>
  );
}

type Overlay = "search" | "shortcuts" | undefined;

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case "new":
      return <HomePage />;
    case "usage":
      return <UsagePage />;
    case "sessions":
      return <SessionsPage />;
    case "settings":
      return <SettingsPage section={route.section} />;
    case "session":
      return <ChatPage key={route.id} id={route.id} message={route.message} />;
    case "foreign":
      return (
        <ForeignPage
          key={`${route.source}/${route.id}`}
          id={route.id}
          source={route.source}
          message={route.message}
        />
      );
  }
}

/** On these pages the side bar is a drawer; as in `shell.css`. */
const NARROW = "(max-width: 48rem)";

function Frame({ app, isLost }: { app: ChatApp; isLost: boolean }) {
  const route = useStore(app.world.route);
  const [overlay, setOverlay] = useState<Overlay>();
  const [isDrawerOpen, setDrawerOpen] = useState(false);

  useKeyDown((event) => {
    const shortcut = shortcutOf(event);
    if (shortcut === undefined) return;
    event.preventDefault();
    if (shortcut === "new") app.world.go({ page: "new" });
    else if (shortcut === "sideBar") app.world.sideBar.update((isOpen) => !isOpen);
    else setOverlay(shortcut);
  });
  const openSideBar = useCallback(() => {
    if (matchMedia(NARROW).matches) setDrawerOpen(true);
    else app.world.sideBar.set(true);
  }, [app]);
  const isSideBarOpen = useStore(app.world.sideBar);

  const frame = useMemo(() => ({ openSideBar }), [openSideBar]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice in the drawer closes it
  useEffect(() => setDrawerOpen(false), [route]);

  return (
    <div className="frame" data-side-bar={isSideBarOpen ? "open" : "closed"}>
      <SideBar
        isDrawerOpen={isDrawerOpen}
        onClose={() => {
          if (matchMedia(NARROW).matches) setDrawerOpen(false);
          else app.world.sideBar.set(false);
        }}
        onSearch={() => setOverlay("search")}
        onShortcuts={() => setOverlay("shortcuts")}
      />
      <main className="main" inert={isDrawerOpen}>
        <ConnectionBanner isLost={isLost} />
        <FrameProvider value={frame}>
          <Suspense>
            <Page route={route} />
          </Suspense>
        </FrameProvider>
      </main>
      <AttentionMarks />
      <DoneNotice store={app.done} />
      <Notice store={app.notice} />
      <SearchDialog open={overlay === "search"} onClose={() => setOverlay(undefined)} />
      <ShortcutsDialog
        shortcuts={shortcutList()}
        open={overlay === "shortcuts"}
        onClose={() => setOverlay(undefined)}
      />
    </div>
  );
}
