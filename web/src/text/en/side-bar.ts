import { pluralIn } from "../plural.js";

const plural = pluralIn("en");

/** The list of sessions, and the actions on a session. */
export const sideBar = {
  sessions: "Sessions",
  close: "Close the side bar",
  newChat: "New chat",
  home: "Home",
  search: "Search",
  usage: "Usage",
  settings: "Settings",
  archivedSessions: "Archived sessions",
  back: "Back",
  noArchived: "No archived sessions.",
  noSessions: "Your conversations will appear here.",
  showOlder: "Show older sessions",
  allSessions: "All sessions",
  archived: "Archived",
  groups: {
    today: "Today",
    yesterday: "Yesterday",
    week: "Last seven days",
    undated: "Undated",
  },
  untitled: "Untitled",
  fork: (title: string) => `${title} (fork)`,
  working: "working",
  needsYou: "needs you",
  unread: "unread",
  title: "Title",
  menuFor: (title: string) => `Menu for ${title}`,
  actions: {
    openInViewer: "Open in viewer",
    export: "Export…",
    rename: "Rename",
    fork: "Fork",
    archive: "Archive",
    unarchive: "Unarchive",
  },
  wasArchived: "The session is archived.",
  wasUnarchived: "The session is in the list again.",
  exportTitle: (title: string) => `Export “${title}”`,
  exported: "Saved. Nothing was lost.",
  exportedWithLosses: (losses: number, what: string, why: string) =>
    `Saved. ${plural(losses, { one: "# loss", other: "# losses" })}, for example: ${what} (${why}).`,
  peers: { dm: "", group: "group", channel: "channel" },
};
