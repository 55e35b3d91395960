import { accountsOf, identitiesOf, unmatchedIdentities } from "../../channels/accounts.js";
import { type ChannelName, registry } from "../../channels/registry.js";
import type { Channel } from "../../channels/types.js";
import { type Clock, systemClock } from "../../core/async/clock.js";
import { DragomanError } from "../../core/error.js";
import type { Runtime } from "../../runtime/runtime.js";
import type { Config } from "../../runtime/schema.js";
import type { ChannelDesk, Logger, Metrics } from "../types.js";
import { AccountLink } from "./account-link.js";

export interface DeskOptions {
  runtime: Runtime;
  /** The accounts to open. */
  config: NonNullable<Config["channels"]>;
  home: string;
  logger: Logger;
  metrics: Metrics;
  /** May contain secrets. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Replaces the registry, for tests. */
  channels?: { readonly [N in ChannelName]?: () => Promise<Channel> };
  world?: Clock;
  fetch?: typeof fetch;
}

/**
 * Opens every configured account. Each connects in the background and independently; `status` reports failures.
 *
 * @example
 * const desk = startDesk({ runtime, config: config.channels, home, logger, metrics });
 * await desk.close();
 */
export function startDesk(options: DeskOptions): ChannelDesk {
  const { config, env = process.env, metrics, world = systemClock } = options;
  const channels: DeskOptions["channels"] = options.channels ?? registry;
  const { identities = {} } = config;
  const configured = accountsOf(config);
  for (const identity of unmatchedIdentities(identities, configured)) {
    options.logger.warn({ identity }, "identity does not match an account: write it as platform/account:id");
  }
  const accounts = configured.map(
    ({ channel, account, settings }) =>
      new AccountLink({
        ...options,
        env,
        world,
        fetch: options.fetch ?? fetch,
        settings,
        reception: {
          channel,
          account,
          agent: settings.agent,
          identities: identitiesOf(identities, { channel, account }),
        },
        load: async () => {
          const load = channels?.[channel];
          if (load !== undefined) return load();
          throw new DragomanError("channel/no-account", `this version has no channel "${channel}"`);
        },
      }),
  );
  metrics.gauge("dragoman_channel_accounts", () => accounts.length);
  metrics.gauge("dragoman_channel_connected", () => accounts.filter(({ connected }) => connected).length);
  metrics.gauge("dragoman_channel_unsent", () => accounts.reduce((sum, { unsent }) => sum + unsent, 0));
  const find = (channel: string, name: string) =>
    accounts.find((account) => account.name === channel && account.account === name);
  return {
    has: (channel, name) => find(channel, name) !== undefined,
    reception: (channel, name) => find(channel, name)?.reception,
    answering: (channel, name) => find(channel, name)?.answering,
    status: () => Promise.all(accounts.map((account) => account.status())),
    people: async () => {
      const all = await Promise.all(accounts.map((account) => account.peopleHere()));
      return {
        requests: all.flatMap(({ requests }) => requests),
        approved: all.flatMap(({ approved }) => approved),
      };
    },
    approve: async (code, owner, among) => {
      for (const account of accounts) {
        if (!among(account.reception)) continue;
        const person = await account.approve(code, owner);
        if (person !== undefined) return person;
      }
      return undefined;
    },
    revoke: async ({ channel, account: name }, id) => (await find(channel, name)?.revoke(id)) ?? false,
    webhook: async (channel, name, request) => find(channel, name)?.webhook(request),
    close: async () => {
      const closed = await Promise.allSettled(accounts.map((account) => account.close()));
      for (const result of closed) if (result.status === "rejected") throw result.reason;
    },
  };
}
