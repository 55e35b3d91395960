import { rm } from "node:fs/promises";
import { DragomanError } from "../../core/error.js";
import { removeIn } from "../../core/json/edit.js";
import { accountFolder, PeopleStore } from "../../gateway/channels/people-store.js";
import { changeConfig } from "../../runtime/config.js";
import { cellsAt } from "../../runtime/store-address.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { plainLine } from "../sessions/plain.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { type AccountName, accountName, nameOf } from "./account-name.js";
import { channelsAt, findAccount, withAccount } from "./at-home.js";
import type { removeCommand } from "./commands.js";

export async function run({ values, words: [file] }: Arguments<typeof removeCommand>): Promise<number> {
  const name = accountName(file);
  if (values.person !== undefined && values.files === true) {
    throw usageError("--person and --files cannot be combined");
  }
  const { home, accounts } = await channelsAt(values.home);
  const { settings } = findAccount(accounts, name);
  if (values.person !== undefined) {
    await removePerson(home, name, values.person, [...(settings.allow ?? []), ...(settings.owners ?? [])]);
    await writeResult(values.json, "", { ...name, person: values.person });
    return 0;
  }
  const folder = accountFolder(home, name.channel, name.account);
  if (values.files === true) {
    await withAccount(home, name, () => rm(folder, { recursive: true, force: true }));
  }
  await changeConfig(home, (text) => removeIn(text, ["channels", name.channel, name.account]));
  await writeResult(values.json, "", name);
  reportLine(`${nameOf(name)} removed from the config; a running gateway keeps it until it restarts`);
  reportLine(
    values.files === true
      ? "its files are deleted; sessions are kept"
      : `approved people and unsent answers are kept in ${folder}; --files deletes them too`,
  );
  return 0;
}

async function removePerson(
  home: string,
  name: AccountName,
  id: string,
  configured: readonly string[],
): Promise<void> {
  const removed = await new PeopleStore(cellsAt(home), name.channel, name.account).remove(id);
  const stillNamed = configured.includes(id);
  if (!removed && !stillNamed) {
    throw new DragomanError("channel/no-account", `${nameOf(name)} does not know the id "${plainLine(id)}"`, {
      hint: "ids are the platform's and case-sensitive",
    });
  }
  if (stillNamed) {
    throw new DragomanError(
      "channel/bad-settings",
      `"${plainLine(id)}" is listed in the settings of ${nameOf(name)}`,
      {
        hint: "remove the id from allow and owners in config.json",
      },
    );
  }
  reportLine(`${plainLine(id)} no longer gets answers from ${nameOf(name)}`);
}
