import { accountsOf } from "../../channels/accounts.js";
import type { Person } from "../../channels/types.js";
import { clientFolder } from "../../gateway/channels/people-store.js";
import { registry } from "../../gateway/channels/registry.js";
import { makeFolder } from "../../log/folder.js";
import { readConfig } from "../../runtime/config.js";
import { printedQr } from "../qr/print.js";
import { tell } from "../tell.js";
import type { AccountName } from "./account-name.js";
import { findAccount, withAccount } from "./at-home.js";
import { link } from "./link.js";

/** Links an account of the configuration on a phone, with the codes on this terminal. Undefined where there is no such client. */
export async function linkAccount(home: string, name: AccountName): Promise<Person | undefined> {
  const load = registry[name.channel];
  if (load === undefined) return undefined;
  const { settings } = findAccount(
    accountsOf((await readConfig(home, process.env)).channels, process.env),
    name,
  );
  return withAccount(home, name, async () => {
    const folder = clientFolder(home, name.channel, name.account);
    await makeFolder(folder);
    return link(await load(), { settings, folder, show });
  });
}

function show(code: string): void {
  if (/^[A-Z0-9]{4}-?[A-Z0-9]{4}$/.test(code)) {
    tell(`On the phone: Settings, Linked devices, Link with phone number. Enter the code ${code}`);
    return;
  }
  tell("On the phone: Settings, Linked devices, Link a device. Scan this:");
  for (const line of printedQr(code)) tell(line);
}
