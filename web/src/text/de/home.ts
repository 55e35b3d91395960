import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");
const messages = (value: number) => plural(value, { one: "# Nachricht", other: "# Nachrichten" });

export const home: Texts["home"] = {
  title: "Wie kann ich helfen?",
  newChat: "Neuer Chat",
  agent: (name) => `Agent: ${name}`,
  demoModels: {
    "demo/echo": "Dieses Demo-Modell wiederholt Ihre Nachricht.",
    "demo/tools": "Dieses Demo-Modell ruft die Werkzeuge des Agenten auf und berichtet die Ergebnisse.",
    "demo/script": "Dieses Demo-Modell folgt den Schritten, die Sie schreiben, etwa „say: hallo“.",
  },
  addKey: "Schlüssel hinzufügen",
  waiting: "Wartet auf Sie",
  notifyMe: "Benachrichtigen",
  wantsToTalk: "{name} möchte über {platform} mit Ihrem Agenten sprechen",
  pairingDetails:
    "Code {code} · ID {id} · Konto {account} · {since}. Stimmen Sie nur zu, wenn Ihnen die Person diesen Code genannt hat.",
  approve: "Zustimmen",
  reject: "Ablehnen",
  running: "Läuft gerade",
  answering: "Antwortet",
  runningTools: (tools) => `Führt ${tools} aus`,
  viewers: (value) => plural(value, { one: "# schaut zu", other: "# schauen zu" }),
  channels: "Kanäle",
  channelStates: {
    connected: "verbunden",
    connecting: "verbindet sich …",
    waiting: "neuer Versuch",
    stopped: "angehalten",
    pairing: "noch nicht verknüpft",
  },
  channelCounts: {
    waiting: (value) => `${messages(value)} unbeantwortet`,
    unsent: (value) => `${messages(value)} nicht gesendet`,
    unknown: (value) => `${messages(value)} mit unbekanntem Ausgang`,
    refused: (value) => `${messages(value)} abgelehnt`,
  },
  openTranscript: "Transkript öffnen",
  dropHere:
    "Sitzung oder Protokoll eines beliebigen Agenten hierher ziehen oder auswählen. Die Datei bleibt in diesem Browser.",
  transcriptFile: "Transkript zum Öffnen",
  recent: "Letzte Sitzungen",
  allSessions: "Alle Sitzungen",
};
