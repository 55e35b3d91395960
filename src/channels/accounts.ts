import { type ChannelName, channelNames } from "./registry.js";
import type { AccountSettings, ChannelsConfig, Identities } from "./settings.js";
import type { Channel } from "./types.js";

/** The name of an account that was added without one. */
export const DEFAULT_ACCOUNT = "default";

type Environment = Readonly<Record<string, string | undefined>>;

/** A configured account. Its secret may be in the environment instead. */
export interface Account {
  channel: ChannelName;
  account: string;
  settings: AccountSettings;
}

type AccountId = Pick<Account, "channel" | "account">;

/** Every configured account, in the order of the channels. */
export function accountsOf(channels: ChannelsConfig = {}): Account[] {
  return channelNames.flatMap((channel) =>
    Object.entries<AccountSettings>(channels[channel] ?? {}).map(([account, settings]) => ({
      channel,
      account,
      settings,
    })),
  );
}

/** `webhook/hr:ann`: the person with this platform id on one account. Another account's `ann` may be another person. */
const IDENTITY = /^([a-z]+)(?:\/([^:]+))?:(.+)$/s;

/**
 * The linked people of one account, each with their ids there.
 *
 * @example
 * identitiesOf({ ann: ["webhook/hr:ann"] }, { channel: "webhook", account: "hr" }); // { ann: ["webhook:ann"] }
 */
export function identitiesOf(identities: Identities, { channel, account }: AccountId): Identities {
  const known = Object.entries(identities).map(([person, ids]): [string, string[]] => [
    person,
    ids.flatMap((identity) => {
      const [, platform, of = DEFAULT_ACCOUNT, id] = IDENTITY.exec(identity) ?? [];
      return platform === channel && of === account ? [`${channel}:${id}`] : [];
    }),
  ]);
  return Object.fromEntries(known.filter(([, ids]) => ids.length > 0));
}

/** Identities that name an account that does not exist. */
export function unmatchedIdentities(identities: Identities, accounts: readonly AccountId[]): string[] {
  return Object.values(identities)
    .flat()
    .filter((identity) =>
      accounts.every((account) => Object.keys(identitiesOf({ one: [identity] }, account)).length === 0),
    );
}

/** `DRAGOMAN_TELEGRAM_TOKEN` for the account `default`, `DRAGOMAN_TELEGRAM_TOKEN_MY_BOT` for `my-bot`. */
export function secretVariable({ channel, account }: AccountId, secret: string): string {
  const own = account === DEFAULT_ACCOUNT ? "" : `_${account.replace(/[^A-Za-z0-9]/g, "_")}`;
  return `DRAGOMAN_${channel}_${secret}${own}`.toUpperCase();
}

/** An account's secret, if it is in the environment. */
export function secretIn(env: Environment, account: AccountId, secret: string): string | undefined {
  const value = env[secretVariable(account, secret)]?.trim();
  return value === "" ? undefined : value;
}

/** An account's settings with its secret. The environment overrides the file. */
export function settingsWithSecret(
  account: Account,
  { secret }: Pick<Channel, "secret">,
  env: Environment,
): AccountSettings {
  const value = secret === undefined ? undefined : secretIn(env, account, secret);
  return secret === undefined || value === undefined
    ? account.settings
    : { ...account.settings, [secret]: value };
}
