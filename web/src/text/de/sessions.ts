import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const sessions: Texts["sessions"] = {
  title: "Alle Sitzungen",
  none: "Keine Sitzung passt zu diesen Filtern.",
  more: "Mehr anzeigen",
  filters: {
    title: "Filter",
    names: { source: "Programm", agent: "Agent", channel: "Kanal", folder: "Projekt", days: "Datum" },
    all: {
      source: "Alle Programme",
      agent: "Alle Agenten",
      channel: "Alle Kanäle",
      folder: "Alle Projekte",
      days: "Beliebiges Datum",
    },
    lastDays: (days) => plural(days, { one: "Heute", other: "Letzte # Tage" }),
    clear: "Filter entfernen",
  },
};
