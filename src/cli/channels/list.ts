import { type Account, secretIn } from "../../channels/accounts.js";
import { channelNames, loadChannel } from "../../channels/registry.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import { MAIN } from "../../runtime/agents.js";
import { cellsAt } from "../../runtime/store-address.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { listing } from "../terminal/table.js";
import { channelsAt } from "./at-home.js";
import type { listCommand } from "./commands.js";

export async function run({ values }: Arguments<typeof listCommand>): Promise<number> {
  const { home, accounts } = await channelsAt(values.home);
  const rows = await Promise.all(accounts.map((account) => describeAccount(home, account)));
  if (rows.length === 0 && values.json !== true)
    reportLine(`no channels yet; \`dragoman channels add ${channelNames[0]}\` adds one`);
  const cells = rows.map(({ channel, account, agent, direct, groups, secret, known, pending }) => [
    channel,
    account,
    agent,
    direct,
    groups,
    secret,
    String(known),
    String(pending),
  ]);
  const head = ["CHANNEL", "ACCOUNT", "AGENT", "DIRECT", "GROUPS", "SECRET", "PEOPLE", "WAITING"];
  await writeResult(values.json, rows.length === 0 ? "" : listing([head, ...cells]).join("\n"), rows);
  return 0;
}

async function describeAccount(home: string, one: Account) {
  const { channel, account, settings } = one;
  const people = new PeopleStore(cellsAt(home), channel, account);
  const approved = (await people.approved()).map(({ id }) => id);
  const { agent = MAIN, direct = "pairing", groups = "mention", allow = [], owners = [] } = settings;
  return {
    channel,
    account,
    agent,
    direct,
    groups,
    secret: await secretPlace(one),
    known: new Set([...allow, ...owners, ...approved]).size,
    pending: (await people.pending()).length,
  };
}

async function secretPlace(account: Account): Promise<"file" | "environment" | "missing" | "none"> {
  const { secret } = await loadChannel(account.channel);
  if (secret === undefined) return "none";
  if (secretIn(process.env, account, secret) !== undefined) return "environment";
  return secret in account.settings ? "file" : "missing";
}
