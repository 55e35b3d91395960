import { useEffect, useRef } from "react";
import { texts } from "../text/texts.js";
import { useConnected } from "./app-context.js";
import { attentionBetween, tabTitle } from "./state/attention.js";
import { titleOf } from "./state/session-title.js";
import { useStore } from "./state/store.js";

const icons = {
  calm: new URL("../theme/icon.svg", import.meta.url).href,
  asking: new URL("../theme/icon-asking.svg", import.meta.url).href,
};

/** Shows in the tab's title and icon, and in notifications, that agents wait for the user. */
export function AttentionMarks() {
  const { app } = useConnected();
  const title = useStore(app.pageTitle);
  const { asking } = useStore(app.list);
  useEffect(() => {
    document.title = tabTitle(title, asking.size);
  }, [title, asking]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.href = asking.size > 0 ? icons.asking : icons.calm;
  }, [asking]);
  useNotifications();
  return null;
}

/** Notifies a user who is looking at another page or program. */
function useNotifications(): void {
  const { app } = useConnected();
  const list = useStore(app.list);
  const before = useRef(list);
  useEffect(() => {
    const changes = before.current.isLoaded ? attentionBetween(before.current, list) : [];
    before.current = list;
    const { route, notifications, go } = app.world;
    for (const { session: id, why } of changes) {
      const shown = route.get();
      const isWatched = shown.page === "session" && shown.id === id && document.visibilityState === "visible";
      const session = list.sessions.get(id);
      if (isWatched || session === undefined) continue;
      if (why === "ended" && document.visibilityState === "visible") continue;
      const { asksNotification, endedNotification } = texts.shell;
      const text = why === "asks" ? asksNotification : endedNotification;
      notifications.show(titleOf(session), text, () => go({ page: "session", id }));
    }
  }, [app, list]);
}
