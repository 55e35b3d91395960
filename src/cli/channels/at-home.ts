import { type Account, accountsOf } from "../../channels/accounts.js";
import { DragomanError } from "../../core/error.js";
import { accountName } from "../../gateway/channels/people-store.js";
import type { Store } from "../../log/store.js";
import type { Lease } from "../../log/types.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import type { Config } from "../../runtime/schema.js";
import { openStore } from "../../runtime/sessions.js";
import { type AccountName, nameOf } from "./account-name.js";

export interface ChannelsAtHome {
  home: string;
  config: Config;
  accounts: readonly Account[];
}

export async function channelsAt(asked: string | undefined): Promise<ChannelsAtHome> {
  const home = homeFolder(process.env, asked);
  const config = await readConfig(home, process.env);
  return { home, config, accounts: accountsOf(config.channels) };
}

export function findAccount(accounts: readonly Account[], name: AccountName): Account {
  const found = accounts.find(({ channel, account }) => channel === name.channel && account === name.account);
  if (found !== undefined) return found;
  throw new DragomanError("channel/no-account", `no account ${nameOf(name)}`, {
    hint: `\`dragoman channels list\` lists the accounts; \`dragoman channels add ${nameOf(name)}\` adds it`,
  });
}

/** Runs `work` on what an account keeps while no gateway uses it. */
export async function withAccount<T>(
  home: string,
  name: AccountName,
  work: (store: Store, lease: Lease) => Promise<T>,
): Promise<T> {
  const store = await openStore(home, process.env);
  const lease = await store.lease(accountName(name.channel, name.account));
  if (lease === undefined) {
    throw new DragomanError("log/locked", `a running gateway uses ${nameOf(name)}`, {
      hint: "stop it and run this command again",
    });
  }
  try {
    return await work(store, lease);
  } finally {
    await lease.release();
    await store.close();
  }
}
