import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const viewer: Texts["viewer"] = {
  messages: (messages) => plural(messages, { one: "# Nachricht", other: "# Nachrichten" }),
  backToApp: "Zurück zur App",
  find: {
    label: "Im Transkript suchen",
    field: "Suchen",
    keys: "Suchen (/ oder Strg+F)",
    previous: "Vorheriger Treffer",
    next: "Nächster Treffer",
    none: "keine Treffer",
    place: (at, all) => `${at} von ${all}`,
    showOnly: "Nur anzeigen",
    kinds: {
      prompts: "Eingaben",
      answers: "Antworten",
      thinking: "Überlegungen",
      tools: "Werkzeuge",
      errors: "Fehler",
      notes: "Hinweise",
    },
  },
  outline: {
    title: "Gliederung",
    prompts: "Eingaben",
    none: "In diesem Transkript gibt es keine Eingaben.",
    count: (prompts) => plural(prompts, { one: "# Eingabe", other: "# Eingaben" }),
    calls: (calls) => plural(calls, { one: "# Werkzeugaufruf", other: "# Werkzeugaufrufe" }),
    tokens: (tokens) => `${tokens} Token`,
    noText: "(kein Text)",
  },
  severities: { dropped: "weggelassen", approximated: "angenähert", synthesised: "ergänzt" },
  losses: {
    label: "Verluste",
    none: "Keine Verluste.",
    counts: (dropped, approximated, synthesised) =>
      `${dropped} weggelassen, ${approximated} angenähert, ${synthesised} ergänzt`,
    places: "Stellen",
    firstPlaces: (places) =>
      plural(places, {
        one: "Die erste Stelle ist aufgeführt.",
        other: "Die ersten # Stellen sind aufgeführt.",
      }),
    showMore: "Mehr anzeigen",
  },
  targets: {
    title: "Wohin passt das?",
    about: "Zeigt, was jeder Dialekt verlieren würde. Bei einer großen Datei dauert es eine Weile.",
    compare: "Alle Dialekte vergleichen",
    progress: (compared, all) => `${compared} von ${all} Dialekten verglichen …`,
    lossless: (lossless, all) => `${lossless} von ${all} Dialekten würden nichts verlieren.`,
    dialect: "Dialekt",
    columns: { dropped: "Weggel.", approximated: "Angen.", synthesised: "Ergänzt" },
    none: "keine Verluste",
  },
  json: { source: "Datei", formatted: "Formatiert", canonical: "Dragoman-Modell" },
  start: {
    title: "Transkript ansehen",
    drop: "Eine Datei hier ablegen oder auswählen",
    dialects:
      "Sitzungen von Claude Code, Codex, Gemini CLI, opencode, Cline, pi und OpenClaw, Exporte von ChatGPT und Claude, Anfragen an Modell-APIs und mehr",
    stays: "Die Datei bleibt in diesem Browser; nichts wird gesendet.",
  },
  keys: {
    search: "Suchen",
    nextMatch: "Nächster Treffer (im Suchfeld)",
    previousMatch: "Vorheriger Treffer (im Suchfeld)",
    nextMessage: "Nächste Nachricht",
    previousMessage: "Vorherige Nachricht",
    nextProblem: "Nächste Nachricht mit einem Problem",
    replay: "Abspielen, anhalten",
    list: "Diese Liste anzeigen",
    title: "Tastenkürzel",
    button: "Tastenkürzel (?)",
  },
};
