import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");
const inSessions = (value: number) => plural(value, { one: "in # Sitzung", other: "in # Sitzungen" });

export const search: Texts["search"] = {
  title: "Suchen",
  field: "Alle Sitzungen durchsuchen",
  results: "Ergebnisse",
  roles: { user: "Nutzer", assistant: "Agent", toolResult: "Werkzeug" },
  moreMatches: (value) =>
    plural(value, {
      one: "# weiterer Treffer in dieser Sitzung",
      other: "# weitere Treffer in dieser Sitzung",
    }),
  noMatch: "Keine Nachricht passt.",
  matches: (matches, sessions) => `${plural(matches, { other: "# Treffer" })} ${inSessions(sessions)}`,
  moreThan: (matches, sessions) =>
    `${plural(matches, { other: "Mehr als # Treffer" })} ${inSessions(sessions)}`,
};
