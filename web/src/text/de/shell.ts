import type { Texts } from "../en.js";

export const shell: Texts["shell"] = {
  connecting: "Verbindung wird aufgebaut …",
  notResponding: "Das Gateway antwortet nicht. Neuer Versuch …",
  connectionLost: "Die Verbindung zum Gateway ist abgebrochen. Sie wird wiederhergestellt …",
  reconnected: "Wieder verbunden. Nichts ging verloren.",
  disconnectedMidway: "Die Verbindung brach ab, bevor das fertig war. Versuchen Sie es noch einmal.",
  notConnected: "Keine Verbindung zum Gateway.",
  dismiss: "Schließen",
  sideBarWidth: "Breite der Seitenleiste",
  openSideBar: "Seitenleiste öffnen",
  readOnly: "Mit diesem Token kann man nur lesen.",
  asksNotification: "Wartet auf Ihre Antwort",
  endedNotification: "Fertig",
  signIn: {
    note: "Öffnen Sie den Link, den `dragoman serve` ausgibt, oder fügen Sie ein Token von `dragoman token create` ein.",
    token: "Token",
    remember: "In diesem Browser merken, für alle Tabs",
    connect: "Verbinden",
    reasons: {
      refused: "Das Gateway akzeptiert dieses Token nicht.",
      ended:
        "Das Gateway wurde neu gestartet, deshalb gilt der Link zu dieser Seite nicht mehr. Öffnen Sie den neu ausgegebenen Link oder fügen Sie ein Token ein.",
      lockedOut: "Zu viele ungültige Tokens. Versuchen Sie es in einer Minute noch einmal.",
    },
  },
  shortcuts: {
    title: "Tastenkürzel",
    keys: { ctrl: "Strg", enter: "Eingabe", shift: "Umschalt", esc: "Esc", alt: "Alt" },
    search: "Suchen",
    newChat: "Neuer Chat",
    newChatOutside: "Neuer Chat (außerhalb des Feldes)",
    sideBar: "Seitenleiste öffnen oder schließen",
    send: "Senden",
    newLine: "Neue Zeile",
    editLast: "Letzte eigene Nachricht bearbeiten (im leeren Feld)",
    stop: "Antwort anhalten, Dialog schließen",
    allowOnce: "Einmal erlauben",
    allowSession: "Für diese Sitzung erlauben",
    deny: "Ablehnen",
    showList: "Diese Liste anzeigen",
  },
};
