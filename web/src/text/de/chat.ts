import type { Texts } from "../en.js";
import { pluralIn } from "../plural.js";

const plural = pluralIn("de");

export const chat: Texts["chat"] = {
  untitled: "Chat",
  forkOf: "Abzweigung von {title}",
  startedBy: "gestartet von {title}",
  noSession: "Es gibt sie nicht, oder sie wurde gelöscht.",
  cannotOpen: (why) => `Diese Sitzung lässt sich nicht öffnen. ${why}`,
  backToStart: "Zurück zur Startseite",
  model: (name) => `Modell: ${name}`,
  modelTokens: (tokens) => `${tokens} Token`,
  modelMissing: {
    key: (name) => `braucht ${name}`,
    server: (name) => `kein Server unter ${name}`,
    model: (name) => `nicht installiert: ollama pull ${name}`,
  },
  modelUnavailable: "nicht verfügbar",
  attempts: (value) => plural(value, { one: "# gescheiterter Versuch", other: "# gescheiterte Versuche" }),
  branches: {
    title: "Fassungen dieses Teils",
    previous: "Vorige Fassung",
    next: "Nächste Fassung",
    position: (number, total) => `${number}/${total}`,
  },
  composer: {
    label: "Nachricht",
    placeholder: "Nachricht schreiben",
    editing: "Bearbeiten: Beim Senden entsteht eine Abzweigung vor dieser Nachricht.",
    attach: "Dateien anhängen",
    files: "Dateien",
    stop: "Anhalten (Esc)",
    queue: "Nachricht einreihen",
  },
  attachments: {
    title: "Anhänge",
    numbered: {
      image: (number) => `Bild ${number}`,
      audio: (number) => `Audio ${number}`,
      file: (number) => `Datei ${number}`,
    },
    pasted: "Eingefügter Text",
    theModel: "das Modell",
    remove: (name) => `${name} entfernen`,
    noRoom: (name) => `${name} passt mit den anderen Anhängen nicht in die Nachricht.`,
    notAccepted: (name, model, type) =>
      `${name} kann nicht angehängt werden: ${type} wird nicht akzeptiert (${model}).`,
    empty: (name) => `${name} ist leer oder ein Ordner.`,
    tooLarge: (name) => `${name} ist größer als 10 MB.`,
    unreadable: (name) => `${name} konnte nicht gelesen werden.`,
  },
  modes: {
    steer: { label: "Lenken", detail: "nach dem laufenden Schritt lesen" },
    followup: { label: "Danach", detail: "nach dem laufenden Durchgang beantworten" },
    collect: { label: "Sammeln", detail: "alles Wartende zu einer Nachricht verbinden" },
    interrupt: { label: "Unterbrechen", detail: "laufenden Durchgang anhalten und sofort antworten" },
  },
  modeLabel: (mode) => `Während der Agent arbeitet: ${mode}`,
  foreign: {
    program: "einem anderen Programm",
    note: (program) =>
      `Geschrieben von ${program}; hier wird daran nichts geändert. Neue Nachrichten erscheinen, sobald sie geschrieben werden.`,
    openInViewer: "Im Betrachter öffnen",
  },
  actions: {
    editAndFork: "Bearbeiten und abzweigen",
    tryAgain: "Noch einmal versuchen",
    fork: "Ab hier abzweigen",
    forkWithModel: "Ab hier mit einem anderen Modell abzweigen",
    continue: "Fortsetzen",
    continueMessage: "Mach dort weiter, wo du aufgehört hast.",
  },
  serverStarting: (name) => `Der MCP-Server ${name} startet; seine Werkzeuge sind noch nicht verfügbar.`,
  serverMissing: (name, why) => `Der MCP-Server ${name} ist nicht verfügbar: ${why}`,
  permission: {
    question: "Darf {tool} ausgeführt werden?",
    answers: { once: "Einmal erlauben", session: "Für diese Sitzung erlauben", never: "Ablehnen" },
    needsAdmin: "Zum Antworten ist ein Admin-Token nötig.",
    expires: "Läuft ab: {when}",
  },
  question: {
    asks: "{server} fragt",
    openPage: "Seite auf {host} öffnen: {link}",
    noSecrets: "Geben Sie keine Passwörter oder Schlüssel ein.",
    opened: "Ich habe sie geöffnet",
    decline: "Ablehnen",
    required: (title) => `${title} (erforderlich)`,
  },
  status: {
    waiting: "Wartet auf Erlaubnis",
    running: (tools) => `Führt ${tools} aus …`,
    answering: "Antwortet …",
    thinking: "Überlegt …",
    lost: "Unbekannt, solange die Verbindung unterbrochen ist",
  },
  pending: {
    title: "Wartende Nachrichten",
    queued: "Eingereiht",
    sending: "Wird gesendet …",
    sendAgain: "Noch einmal senden",
    discard: "Verwerfen",
    attachments: (value) => plural(value, { one: "# Anhang", other: "# Anhänge" }),
  },
};
