import { accountsOf } from "../../channels/accounts.js";
import type { Channel, Person } from "../../channels/types.js";
import { clientValues } from "../../gateway/channels/people-store.js";
import { readConfig } from "../../runtime/config.js";
import { qrCode } from "../terminal/qr-code.js";
import { reportLine } from "../terminal/report-line.js";
import type { AccountName } from "./account-name.js";
import { findAccount, withAccount } from "./at-home.js";
import { link } from "./link.js";

/** Links a configured account on a phone, showing the codes on this terminal. */
export async function linkAccount(home: string, name: AccountName, channel: Channel): Promise<Person> {
  const { settings } = findAccount(accountsOf((await readConfig(home, process.env)).channels), name);
  return withAccount(home, name, (store, lease) => {
    const values = clientValues(store, lease, name.channel, name.account);
    return link(channel, { settings, values, show: (code) => show(code, channel) });
  });
}

function show(code: string, { showCode }: Channel): void {
  const { instruction, scan } = showCode?.(code) ?? { instruction: code };
  reportLine(instruction);
  if (scan !== undefined) for (const line of qrCode(scan)) reportLine(line);
}
