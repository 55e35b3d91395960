import type { Account } from "../../channels/accounts.js";
import type { ApprovedPerson } from "../../channels/people-schema.js";
import { DragomanError } from "../../core/error.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import { cellsAt } from "../../runtime/store-address.js";
import type { Arguments } from "../declaration.js";
import { plainLine } from "../sessions/plain.js";
import { writeResult } from "../sessions/result.js";
import { ago } from "../sessions/when.js";
import { reportLine } from "../terminal/report-line.js";
import { listing } from "../terminal/table.js";
import { nameOf } from "./account-name.js";
import { channelsAt } from "./at-home.js";
import type { approveCommand } from "./commands.js";
import { shownPerson } from "./shown-person.js";

export async function run({ values, words: [code] }: Arguments<typeof approveCommand>): Promise<number> {
  const { home, accounts } = await channelsAt(values.home);
  if (code === undefined) return list(home, accounts, values.json);
  const { account, person } = await approve(home, accounts, code, values.owner === true);
  const { id, name, owner } = person;
  await writeResult(values.json, "", { channel: account.channel, account: account.account, id, name, owner });
  reportLine(
    `${shownPerson(person)} is approved${owner ? " as an owner" : ""} on ${nameOf(account)} and will get answers`,
  );
  return 0;
}

async function approve(
  home: string,
  accounts: readonly Account[],
  code: string,
  owner: boolean,
): Promise<{ account: Account; person: ApprovedPerson }> {
  for (const account of accounts) {
    const person = await new PeopleStore(cellsAt(home), account.channel, account.account).approve(
      code,
      owner,
    );
    if (person !== undefined) return { account, person };
  }
  throw new DragomanError("channel/no-code", `no pending request with the code "${code}"`, {
    hint: "codes expire after an hour; `dragoman channels approve` lists the pending requests",
  });
}

async function list(home: string, accounts: readonly Account[], json: boolean | undefined): Promise<number> {
  const now = Date.now();
  const waiting = await Promise.all(
    accounts.map(async ({ channel, account }) =>
      (await new PeopleStore(cellsAt(home), channel, account).pending()).map(({ code, id, name, since }) => ({
        channel,
        account,
        code,
        id,
        name,
        since,
      })),
    ),
  );
  const all = waiting.flat();
  if (all.length === 0 && json !== true) reportLine("no pending requests");
  const rows = all.map(({ code, id, name = "", since, ...account }) => [
    code,
    nameOf(account),
    plainLine(id),
    ago(since, now),
    plainLine(name, 40),
  ]);
  const head = ["CODE", "ACCOUNT", "ID", "ASKED", "NAME (UNVERIFIED)"];
  await writeResult(json, all.length === 0 ? "" : listing([head, ...rows]).join("\n"), all);
  return 0;
}
