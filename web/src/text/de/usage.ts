import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const usage: Texts["usage"] = {
  title: "Verbrauch",
  lastDays: (days) => plural(days, { one: "Letzter Tag", other: "Letzte # Tage" }),
  periodLabel: (days) => plural(days, { one: "Zeitraum: letzter Tag", other: "Zeitraum: letzte # Tage" }),
  counted: { calls: "Aufrufe dieses Gateways", sessions: "Sitzungen aller Programme" },
  countedLabel: (choice) => `Gezählt werden: ${choice}`,
  units: { title: "Einheit", dollars: "Dollar", tokens: "Token" },
  by: {
    day: "Nach Tag",
    model: "Nach Modell",
    agent: "Nach Agent",
    token: "Nach Token",
    source: "Nach Programm",
    project: "Nach Projekt",
  },
  groupBy: {
    day: "Nach Tag gruppieren",
    model: "Nach Modell gruppieren",
    agent: "Nach Agent gruppieren",
    token: "Nach Token gruppieren",
    source: "Nach Programm gruppieren",
    project: "Nach Projekt gruppieren",
  },
  tableLabel: {
    day: "Verbrauch nach Tag",
    model: "Verbrauch nach Modell",
    agent: "Verbrauch nach Agent",
    token: "Verbrauch nach Token",
    source: "Verbrauch nach Programm",
    project: "Verbrauch nach Projekt",
  },
  dimensions: {
    day: "Tag",
    model: "Modell",
    agent: "Agent",
    token: "Token",
    source: "Programm",
    project: "Projekt",
  },
  ownOnly: "Nur der Verbrauch dieses Tokens wird angezeigt.",
  noCalls: "In diesem Zeitraum wurde kein Modell aufgerufen.",
  incomplete:
    "Verbrauch oder Preis einiger Aufrufe sind unbekannt, die tatsächlichen Kosten sind also höher. Setzen Sie `models.*.prices` in der Konfiguration.",
  columns: {
    cost: "Kosten",
    calls: "Aufrufe",
    input: "Eingabe",
    output: "Ausgabe",
    cacheRead: "Aus dem Cache",
    cacheWrite: "In den Cache",
    reasoning: "Überlegungen",
    total: "Summe",
    tokens: "Token",
    kind: "Art",
    share: "Anteil",
  },
  shareOfTotal: "Anteil an der Summe",
  noAgent: "kein Agent",
  unknown: "unbekannt",
  tokens: (value) => `${value} Token`,
  chart: {
    cost: (most) => `Kosten pro Tag, Höchstwert ${most}`,
    tokens: (most) => `Token pro Tag, Höchstwert ${most}`,
    costCaption: (most) => `Kosten pro Tag, UTC; Höchstwert ${most}`,
    tokensCaption: (most) => `Token pro Tag, UTC; Höchstwert ${most}`,
    noCalls: (day) => `${day}: keine Aufrufe`,
    day: (day, cost, tokens, calls) =>
      `${day}: ${cost}, ${plural(tokens, { other: "# Token" })}, ${plural(calls, { one: "# Aufruf", other: "# Aufrufe" })}`,
  },
  budgets: "Budgets",
  budget: {
    day: (spent, limit) => `${spent} von ${limit} pro Tag`,
    month: (spent, limit) => `${spent} von ${limit} pro Monat`,
  },
  spent: (budget) => `${budget}, aufgebraucht`,
  resets: (day) => `Beginnt am ${day} neu (UTC)`,
  session: {
    title: "Verbrauch der Sitzung",
    incomplete:
      "Verbrauch oder Preis einiger Antworten sind unbekannt, die tatsächlichen Kosten sind also höher.",
    chart: (answers, most) =>
      `Token pro Antwort, ${plural(answers, { one: "letzte Antwort", other: "letzte # Antworten" })}, Höchstwert ${most}`,
    answer: (input, output) => `${input} Eingabe, ${output} Ausgabe`,
    caption: "{input} {output} pro Antwort",
    input: "Eingabe",
    output: "Ausgabe",
  },
};
