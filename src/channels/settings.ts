import { type Static, type TProperties, Type } from "@sinclair/typebox";

const text = Type.String({ pattern: "\\S" });
const optional = { text: Type.Optional(text), texts: Type.Optional(Type.Array(text)) };

function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Optional(Type.Unsafe<T>({ enum: [...values] }));
}

/** Who is answered, and by whom. */
const access = {
  /** The agent that answers; `main` unless given. */
  agent: optional.text,
  /** Direct messages of people nobody knows: they get a code that the owner approves (the default), or silence, or an answer. */
  direct: oneOf(["pairing", "allowlist", "open", "off"]),
  /** People who are answered, by the platform's ids. */
  allow: optional.texts,
  /** Those who may give commands. */
  owners: optional.texts,
  /** In groups it answers when it is addressed (the default), everything, or nothing. */
  groups: oneOf(["mention", "always", "off"]),
  /** Groups and channels in which everybody is answered. Elsewhere only people who are allowed are. */
  allowGroups: optional.texts,
};

function account<P extends TProperties>(properties: P) {
  return Type.Object({ ...access, ...properties }, { additionalProperties: false });
}

export const TelegramSettings = account({
  /** From @BotFather. */
  token: optional.text,
  /** Where Telegram calls us, `https://agents.example.com/channels/telegram/default`; without it we ask for what is new. */
  webhookUrl: optional.text,
  /** The server of the Bot API, for those who run their own. */
  apiRoot: optional.text,
});

export const DiscordSettings = account({
  token: optional.text,
  apiRoot: optional.text,
});

export const WhatsAppSettings = account({
  /** Its number, digits only, with the country's: it is linked with a code to type then, not with one to scan. */
  phone: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{6,14}$" })),
  /** Another address of WhatsApp's socket. */
  socketUrl: optional.text,
});

export const WebhookSettings = account({
  /** Signs what is sent and what is received. */
  secret: optional.text,
  /** Where answers are posted. */
  url: optional.text,
  /** Hosts whose `https` links in messages are fetched, such as `cdn.example.com`; no others are. */
  mediaHosts: optional.texts,
});

export type AccessSettings = Pick<
  Static<typeof TelegramSettings>,
  "agent" | "direct" | "allow" | "owners" | "groups" | "allowGroups"
>;
export type TelegramSettings = Static<typeof TelegramSettings>;
export type DiscordSettings = Static<typeof DiscordSettings>;
export type WhatsAppSettings = Static<typeof WhatsAppSettings>;
export type WebhookSettings = Static<typeof WebhookSettings>;

/** It names a folder, so that none begins with a dot. */
const accountName = Type.String({ pattern: "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$" });

function accounts<T extends ReturnType<typeof account>>(settings: T) {
  return Type.Optional(Type.Record(accountName, settings, { additionalProperties: false }));
}

/** `channels` of `config.json`: the accounts of each platform, by names of our own; a single one is called `default`. */
export const Channels = Type.Object(
  {
    telegram: accounts(TelegramSettings),
    discord: accounts(DiscordSettings),
    whatsapp: accounts(WhatsAppSettings),
    webhook: accounts(WebhookSettings),
    /**
     * People by names of our own, who have one conversation on all platforms: `"ann": ["telegram/work:123", "discord:456"]`. Without
     * an account the one called `default` is meant.
     */
    identities: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
        Type.Array(Type.String({ pattern: "^[a-z]+(/[A-Za-z0-9_.-]+)?:\\S+$" })),
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
