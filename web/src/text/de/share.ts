import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const share: Texts["share"] = {
  title: (title) => `„${title}“ teilen`,
  note: "Wer den Link hat, kann diese Sitzung lesen, auch während sie weitergeht: alle Nachrichten, Überlegungen, Werkzeugaufrufe und deren Ergebnisse. Schreiben ist damit nicht möglich, und andere Sitzungen sind nicht sichtbar.",
  localOnly: "Die Adresse dieses Gateways funktioniert nur auf diesem Computer.",
  expires: "Der Link gilt für",
  hours: (value) => plural(value, { one: "# Stunde", other: "# Stunden" }),
  days: (value) => plural(value, { one: "# Tag", other: "# Tage" }),
  create: "Link erstellen",
  links: "Links zu dieser Sitzung",
  link: (created, expires) => `Erstellt am ${created}, gilt bis ${expires}`,
  tokenName: (title) => `Link zu ${title}`,
  shared: "Geteilte Sitzung",
  readOnly: "nur lesen",
};
