import type { Texts } from "../en.js";

export const browserSettings: Texts["browserSettings"] = {
  appearance: "Darstellung",
  schemes: { system: "System", light: "Hell", dark: "Dunkel" },
  language: "Sprache",
  browserLanguage: (title) => `Sprache des Browsers (${title})`,
  languageHint: "Meldungen des Gateways, etwa Einzelheiten zu Fehlern, sind auf Englisch.",
  notifications: "Benachrichtigungen",
  notificationStates: {
    on: "Sie werden benachrichtigt, wenn ein Agent Sie braucht oder fertig ist, während Sie woanders sind.",
    off: "Aus.",
    blocked: "In den Einstellungen dieses Browsers gesperrt.",
    unsupported: "Dieser Browser erlaubt Benachrichtigungen nur von diesem Computer oder über HTTPS.",
  },
  staySignedIn: "Angemeldet bleiben",
  staySignedInNote:
    "Der Link, den `dragoman serve` ausgibt, gilt bis zum Ende des Gateways. Mit einem eigenen Token bleibt dieser Browser angemeldet; widerrufen können Sie es unter „Tokens“.",
  staysSignedIn: "Dieser Browser bleibt angemeldet",
};
