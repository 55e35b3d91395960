export const browserSettings = {
  appearance: "Appearance",
  schemes: { system: "System", light: "Light", dark: "Dark" },
  language: "Language",
  browserLanguage: (title: string) => `Browser's language (${title})`,
  languageHint: "Messages from the gateway, such as error details, are in English.",
  notifications: "Notifications",
  notificationStates: {
    on: "You are notified when an agent needs you or has finished while you look elsewhere.",
    off: "Off.",
    blocked: "Blocked in the settings of this browser.",
    unsupported: "This browser notifies only pages from this computer or over HTTPS.",
  },
  staySignedIn: "Stay signed in",
  staySignedInNote:
    "The link that `dragoman serve` prints is valid until the gateway stops. A token of its own keeps this browser signed in; revoke it under Tokens.",
  staysSignedIn: "This browser stays signed in",
};
