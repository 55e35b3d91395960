import { lazy, Suspense, useEffect, useState } from "react";
import { texts } from "../text/texts.js";
import { useKeyDown } from "../theme/use-key-down.js";
import { ConnectedProvider } from "./app-context.js";
import { AttentionMarks } from "./attention-marks.js";
import { ChatPage } from "./chat/chat-page.js";
import { ConnectionBanner } from "./connection-banner.js";
import { HomePage } from "./home/home-page.js";
import { DoneNotice, Notice } from "./notice.js";
import { SearchDialog } from "./search/search-dialog.js";
import "./shell.css";
import { ShortcutsDialog } from "../theme/shortcuts-dialog.js";
import { shortcutList, shortcutOf } from "./shortcuts.js";
import { SideBar } from "./side-bar/side-bar.js";
import { SignIn } from "./sign-in.js";
import type { ChatApp } from "./state/chat-app.js";
import type { Route } from "./state/route.js";
import { useStore } from "./state/store.js";

const UsagePage = lazy(async () => ({ default: (await import("./usage/usage-page.js")).UsagePage }));

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
  return (
    <ConnectedProvider value={{ app, client, welcome }}>
      <Frame app={app} isLost={link.phase === "lost"} />
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

function Page({ route, onOpenDrawer }: { route: Route; onOpenDrawer: () => void }) {
  switch (route.page) {
    case "new":
      return <HomePage onOpenDrawer={onOpenDrawer} />;
    case "usage":
      return (
        <Suspense>
          <UsagePage onOpenDrawer={onOpenDrawer} />
        </Suspense>
      );
    case "settings":
      return (
        <Suspense>
          <SettingsPage section={route.section} onOpenDrawer={onOpenDrawer} />
        </Suspense>
      );
    case "session":
      return <ChatPage key={route.id} id={route.id} message={route.message} onOpenDrawer={onOpenDrawer} />;
  }
}

function Frame({ app, isLost }: { app: ChatApp; isLost: boolean }) {
  const route = useStore(app.world.route);
  const [overlay, setOverlay] = useState<Overlay>();
  const [isDrawerOpen, setDrawerOpen] = useState(false);

  useKeyDown((event) => {
    const shortcut = shortcutOf(event);
    if (shortcut === undefined) return;
    event.preventDefault();
    if (shortcut === "new") app.world.go({ page: "new" });
    else setOverlay(shortcut);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice in the drawer closes it
  useEffect(() => setDrawerOpen(false), [route]);

  return (
    <div className="frame">
      <SideBar
        isDrawerOpen={isDrawerOpen}
        onCloseDrawer={() => setDrawerOpen(false)}
        onSearch={() => setOverlay("search")}
        onShortcuts={() => setOverlay("shortcuts")}
      />
      <main className="main" inert={isDrawerOpen}>
        <ConnectionBanner isLost={isLost} />
        <Page route={route} onOpenDrawer={() => setDrawerOpen(true)} />
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
