import { connect } from "../gateway/connect.js";
import { TokenStore, tokenInFragment } from "../gateway/token.js";
import { nextFrame } from "../transcript/live/listeners.js";
import { USUAL_WIDTH } from "./side-bar/side-bar-edge.js";
import { ChatApp } from "./state/chat-app.js";
import { Drafts } from "./state/drafts.js";
import { GatewayLink, type TokenStatus } from "./state/gateway-link.js";
import { keptFlag } from "./state/kept-flag.js";
import { keptNumber } from "./state/kept-number.js";
import { Notifications, type Notifier } from "./state/notifications.js";
import { hashOf, type Route, routeOf } from "./state/route.js";
import { SeenSessions } from "./state/seen.js";
import { Store } from "./state/store.js";

/** Starts the app with this page's address bar, storage and gateway. */
export function startApp(): ChatApp {
  const keeper = new TokenStore(localStorage, sessionStorage);
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const link = new GatewayLink(keeper, { connect, checkToken, pause });
  const route = new Store<Route>(routeOf(location.hash));
  addEventListener("hashchange", () => {
    const token = consumeToken();
    if (token === undefined) route.set(routeOf(location.hash));
    else void link.signIn(token.text, token.where);
  });
  const app = new ChatApp({
    link,
    route,
    go: (to) => {
      location.hash = hashOf(to);
    },
    drafts: new Drafts(localStorage),
    seen: new SeenSessions(localStorage, Date.now()),
    sideBar: keptFlag(localStorage, "dragoman.side-bar"),
    sideBarWidth: keptNumber(localStorage, "dragoman.side-bar-width", USUAL_WIDTH),
    notifications: new Notifications(localStorage, browserNotifier()),
    now: Date.now,
    schedule: nextFrame,
  });
  keepPageOnDrop();
  const token = consumeToken();
  keeper.onStored(() => {
    if (link.state.get().phase === "asking") void link.start();
  });
  void (token === undefined ? link.start() : link.signIn(token.text, token.where));
  return app;
}

/** A browser opens a dropped file in place of the page, unless the page accepts it. */
function keepPageOnDrop(): void {
  for (const name of ["dragover", "drop"] as const) {
    addEventListener(name, (event) => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
    });
  }
}

/** Browsers offer notifications only to pages from this computer or over HTTPS. */
function browserNotifier(): Notifier | undefined {
  if (!("Notification" in globalThis) || !isSecureContext) return undefined;
  return {
    get permission() {
      return Notification.permission;
    },
    request: () => Notification.requestPermission(),
    show: (title, body, onClick) => {
      const shown = new Notification(title, { body, tag: title });
      shown.onclick = () => {
        window.focus();
        onClick();
      };
    },
  };
}

/** Reads the link's token and removes it from the address bar, so that it is not copied, displayed or kept in the history. */
function consumeToken(): ReturnType<typeof tokenInFragment> {
  const token = tokenInFragment(location.hash);
  if (token !== undefined) history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  return token;
}

async function checkToken(token: string): Promise<TokenStatus> {
  try {
    const { status } = await fetch("/metrics", { headers: { authorization: `Bearer ${token}` } });
    return status === 401 ? "refused" : status === 429 ? "locked-out" : "accepted";
  } catch {
    return "away";
  }
}
