import { DEFAULT_ACCOUNT } from "../../channels/accounts.js";
import { type ChannelName, channelNames, isChannelName } from "../../channels/registry.js";
import { usageError } from "../arguments.js";

/** An account as people name it: `telegram`, or `telegram/work` where there are several. */
export interface AccountName {
  channel: ChannelName;
  account: string;
}

export function accountName(text: string): AccountName {
  const [channel = "", account = DEFAULT_ACCOUNT, ...more] = text.split("/");
  if (!isChannelName(channel)) {
    throw usageError(`unknown channel "${channel}"; use ${channelNames.join(", ")}`);
  }
  if (more.length > 0 || !/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/.test(account)) {
    throw usageError("an account name must be up to 64 letters, digits, `_`, `-` and `.`");
  }
  return { channel, account };
}

/** `telegram`, `telegram/work` */
export function nameOf({ channel, account }: AccountName): string {
  return account === DEFAULT_ACCOUNT ? channel : `${channel}/${account}`;
}
