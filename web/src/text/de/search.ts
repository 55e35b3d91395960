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
  someOf: (shown, total, sessions) =>
    `${plural(shown, { other: "#" })} von ${plural(total, { one: "# Treffer", other: "# Treffern" })}, ${inSessions(sessions)}`,
  someOfMore: (shown, total, sessions) =>
    `${plural(shown, { other: "#" })} von mehr als ${plural(total, { one: "# Treffer", other: "# Treffern" })}, ${inSessions(sessions)}`,
};
