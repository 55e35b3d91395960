import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const transfer: Texts["transfer"] = {
  continueIn: "Fortsetzen in …",
  continueTitle: (title) => `„${title}“ in einem anderen Programm fortsetzen`,
  program: "Programm",
  folder: "Ordner auf dem Computer des Gateways",
  missingFolder: (folder) => `Den Ordner ${folder} der Sitzung gibt es auf dem Computer des Gateways nicht.`,
  copiesHere: "Erstellt eine Kopie, die Sie hier fortsetzen können. Das Original bleibt unverändert.",
  writes: (program) =>
    `Schreibt eine neue Sitzung in den Ordner von ${program} auf dem Computer des Gateways. Das Original bleibt unverändert.`,
  continue: "Fortsetzen",
  written: (messages, program) =>
    `${plural(messages, { one: "# Nachricht wurde", other: "# Nachrichten wurden" })} für ${program} geschrieben. Öffnen Sie die Sitzung in einem Terminal auf dem Computer des Gateways:`,
  exportTitle: (title) => `„${title}“ exportieren`,
  format: "Format",
  download: "Herunterladen",
  losses: {
    title: "Was verloren geht oder sich ändert",
    none: "Nichts geht verloren.",
    columns: { count: "Anzahl", what: "Was", why: "Warum" },
    severities: { dropped: "fehlt", approximated: "verändert", synthesised: "ergänzt" },
  },
};
