import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const sideBar: Texts["sideBar"] = {
  sessions: "Sitzungen",
  close: "Seitenleiste schließen",
  newChat: "Neuer Chat",
  home: "Start",
  search: "Suchen",
  usage: "Verbrauch",
  settings: "Einstellungen",
  archivedSessions: "Archivierte Sitzungen",
  back: "Zurück",
  noArchived: "Keine archivierten Sitzungen.",
  noSessions: "Hier erscheinen Ihre Unterhaltungen.",
  showOlder: "Ältere Sitzungen anzeigen",
  allSessions: "Alle Sitzungen",
  archived: "Archiv",
  groups: {
    today: "Heute",
    yesterday: "Gestern",
    week: "Letzte sieben Tage",
    undated: "Ohne Datum",
  },
  untitled: "Ohne Titel",
  fork: (title) => `${title} (Abzweigung)`,
  working: "arbeitet",
  needsYou: "braucht Sie",
  unread: "ungelesen",
  title: "Titel",
  menuFor: (title) => `Menü für ${title}`,
  actions: {
    openInViewer: "Im Betrachter öffnen",
    export: "Exportieren …",
    rename: "Umbenennen",
    fork: "Abzweigen",
    archive: "Archivieren",
    unarchive: "Aus dem Archiv holen",
  },
  wasArchived: "Die Sitzung ist archiviert.",
  wasUnarchived: "Die Sitzung ist wieder in der Liste.",
  exportTitle: (title) => `„${title}“ exportieren`,
  exported: "Gespeichert. Nichts ging verloren.",
  exportedWithLosses: (losses, what, why) =>
    `Gespeichert. ${plural(losses, { one: "# Verlust", other: "# Verluste" })}, zum Beispiel: ${what} (${why}).`,
  peers: { dm: "", group: "Gruppe", channel: "Kanal" },
};
