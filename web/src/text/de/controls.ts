import type { Texts } from "../en.js";

export const controls: Texts["controls"] = {
  add: "Hinzufügen",
  cancel: "Abbrechen",
  close: "Schließen",
  copied: "Kopiert",
  copy: "Kopieren",
  copyFailed: "Nicht kopiert",
  create: "Erstellen",
  filter: "Filtern",
  loading: "Wird geladen …",
  save: "Speichern",
  send: "Senden",
  turnOff: "Ausschalten",
  turnOn: "Einschalten",
  undo: "Rückgängig",
};
