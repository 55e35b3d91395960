import type { Static } from "@sinclair/typebox";
import type {
  Channels,
  DiscordSettings,
  TelegramSettings,
  WebhookSettings,
  WhatsAppSettings,
} from "./settings.js";
import type { ChannelName } from "./types.js";

export const CHANNEL_NAMES: readonly ChannelName[] = ["telegram", "discord", "whatsapp", "webhook"];

/** What an account is called unless it is given a name. */
export const DEFAULT_ACCOUNT = "default";

type Environment = Readonly<Record<string, string | undefined>>;

/** A configured account, with its secret wherever that was. */
export type Account =
  | { channel: "telegram"; account: string; settings: TelegramSettings }
  | { channel: "discord"; account: string; settings: DiscordSettings }
  | { channel: "whatsapp"; account: string; settings: WhatsAppSettings }
  | { channel: "webhook"; account: string; settings: WebhookSettings };

/** Every account of a configuration. A secret in the environment comes before one in the file. */
export function accountsOf(channels: Static<typeof Channels> | undefined, env: Environment): Account[] {
  const { telegram = {}, discord = {}, whatsapp = {}, webhook = {} } = channels ?? {};
  const secret = <F extends string>(channel: ChannelName, account: string, field: F) => {
    const value = secretIn(env, channel, account);
    return value === undefined ? {} : { [field]: value };
  };
  return [
    ...Object.entries(telegram).map(([account, settings]) => ({
      channel: "telegram" as const,
      account,
      settings: { ...settings, ...secret("telegram", account, "token") },
    })),
    ...Object.entries(discord).map(([account, settings]) => ({
      channel: "discord" as const,
      account,
      settings: { ...settings, ...secret("discord", account, "token") },
    })),
    ...Object.entries(whatsapp).map(([account, settings]) => ({
      channel: "whatsapp" as const,
      account,
      settings,
    })),
    ...Object.entries(webhook).map(([account, settings]) => ({
      channel: "webhook" as const,
      account,
      settings: { ...settings, ...secret("webhook", account, "secret") },
    })),
  ];
}

/** `webhook/hr:ann`: the person that a platform calls so, on one account. Another account's `ann` may be another person. */
const IDENTITY = /^([a-z]+)(?:\/([^:]+))?:(.+)$/s;

type Identities = NonNullable<Static<typeof Channels>["identities"]>;

/**
 * The linked people of one account, each with the ids that the account knows them by.
 *
 * @example
 * identitiesOf({ ann: ["webhook/hr:ann"] }, { channel: "webhook", account: "hr" }); // { ann: ["webhook:ann"] }
 */
export function identitiesOf(
  identities: Identities,
  { channel, account }: Pick<Account, "channel" | "account">,
): Identities {
  const known = Object.entries(identities).map(([person, ids]): [string, string[]] => [
    person,
    ids.flatMap((identity) => {
      const [, platform, of = DEFAULT_ACCOUNT, id] = IDENTITY.exec(identity) ?? [];
      return platform === channel && of === account ? [`${channel}:${id}`] : [];
    }),
  ]);
  return Object.fromEntries(known.filter(([, ids]) => ids.length > 0));
}

/** Identities that are of no account there is, so that they link nobody. */
export function idleIdentities(
  identities: Identities,
  accounts: readonly Pick<Account, "channel" | "account">[],
): string[] {
  return Object.values(identities)
    .flat()
    .filter((identity) =>
      accounts.every((account) => Object.keys(identitiesOf({ one: [identity] }, account)).length === 0),
    );
}

/** The setting that is a secret; WhatsApp makes keys of its own instead. */
export function secretField(channel: ChannelName): "token" | "secret" | undefined {
  switch (channel) {
    case "telegram":
    case "discord":
      return "token";
    case "webhook":
      return "secret";
    case "whatsapp":
      return undefined;
  }
}

/** `DRAGOMAN_TELEGRAM_TOKEN` for the account `default`, `DRAGOMAN_TELEGRAM_TOKEN_MY_BOT` for `my-bot`. */
export function secretVariable(channel: ChannelName, account: string): string | undefined {
  const field = secretField(channel);
  if (field === undefined) return undefined;
  const own = account === DEFAULT_ACCOUNT ? "" : `_${account.replace(/[^A-Za-z0-9]/g, "_")}`;
  return `DRAGOMAN_${channel}_${field}${own}`.toUpperCase();
}

/** The secret of an account that the environment holds. */
export function secretIn(env: Environment, channel: ChannelName, account: string): string | undefined {
  const variable = secretVariable(channel, account);
  const value = variable === undefined ? undefined : env[variable]?.trim();
  return value === "" ? undefined : value;
}
