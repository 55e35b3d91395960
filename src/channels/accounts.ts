import { type ChannelName, channelNames } from "./registry.js";
import type { AccountSettings, ChannelsConfig, Identities } from "./settings.js";
import type { Channel } from "./types.js";

/** What an account is called unless it is given a name. */
export const DEFAULT_ACCOUNT = "default";

type Environment = Readonly<Record<string, string | undefined>>;

/** A configured account. Its secret may be elsewhere. */
export interface Account {
  channel: ChannelName;
  account: string;
  settings: AccountSettings;
}

/** Every account of a configuration, in the order of the channels. */
export function accountsOf(channels: ChannelsConfig = {}): Account[] {
  return channelNames.flatMap((channel) =>
    Object.entries<AccountSettings>(channels[channel] ?? {}).map(([account, settings]) => ({
      channel,
      account,
      settings,
    })),
  );
}

/** `webhook/hr:ann`: the person that a platform calls so, on one account. Another account's `ann` may be another person. */
const IDENTITY = /^([a-z]+)(?:\/([^:]+))?:(.+)$/s;

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
export function unmatchedIdentities(
  identities: Identities,
  accounts: readonly Pick<Account, "channel" | "account">[],
): string[] {
  return Object.values(identities)
    .flat()
    .filter((identity) =>
      accounts.every((account) => Object.keys(identitiesOf({ one: [identity] }, account)).length === 0),
    );
}

type Named = Pick<Account, "channel" | "account">;

/** `DRAGOMAN_TELEGRAM_TOKEN` for the account `default`, `DRAGOMAN_TELEGRAM_TOKEN_MY_BOT` for `my-bot`. */
export function secretVariable({ channel, account }: Named, secret: string): string {
  const own = account === DEFAULT_ACCOUNT ? "" : `_${account.replace(/[^A-Za-z0-9]/g, "_")}`;
  return `DRAGOMAN_${channel}_${secret}${own}`.toUpperCase();
}

/** The secret of an account that the environment holds. */
export function secretIn(env: Environment, account: Named, secret: string): string | undefined {
  const value = env[secretVariable(account, secret)]?.trim();
  return value === "" ? undefined : value;
}

/** The settings of an account with its secret: one in the environment comes before one in the file. */
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
