/** The platforms, and the setting that contains the secret of an account; WhatsApp is linked with a phone instead. */
export const platforms: Readonly<Record<string, string | undefined>> = {
  telegram: "token",
  discord: "token",
  whatsapp: undefined,
  webhook: "secret",
};
