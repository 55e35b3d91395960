import { type Account, settingsWithSecret } from "../../channels/accounts.js";
import { channelNames, loadChannel } from "../../channels/registry.js";
import type { Person } from "../../channels/types.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { describeError } from "../terminal/errors.js";
import { reportLine } from "../terminal/report-line.js";
import { table } from "../terminal/table.js";
import { type AccountName, accountName, nameOf } from "./account-name.js";
import { channelsAt, findAccount } from "./at-home.js";
import type { testCommand } from "./commands.js";
import { shownPerson } from "./shown-person.js";

export async function run({ values, words: [file] }: Arguments<typeof testCommand>): Promise<number> {
  const { accounts } = await channelsAt(values.home);
  const chosen = file === undefined ? accounts : [findAccount(accounts, accountName(file))];
  if (chosen.length === 0)
    reportLine(`no channels yet; \`dragoman channels add ${channelNames[0]}\` adds one`);
  const results = await Promise.all(chosen.map(testAccount));
  const rows = results.map(({ ok, me, error, ...account }) => [
    ok ? "✓" : "✗",
    nameOf(account),
    error ?? (me === undefined ? NOT_CHECKED : shownPerson(me)),
  ]);
  await writeResult(values.json, table(rows).join("\n"), results);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

const NOT_CHECKED = "checked only while the gateway runs: `dragoman channels status`";

interface TestResult extends AccountName {
  ok: boolean;
  me?: Person;
  error?: string;
}

async function testAccount(one: Account): Promise<TestResult> {
  const { channel, account } = one;
  try {
    const platform = await loadChannel(channel);
    const me = await platform.whoami?.(settingsWithSecret(one, platform, process.env), fetch);
    return { channel, account, ok: true, ...(me === undefined ? {} : { me }) };
  } catch (error) {
    return { channel, account, ok: false, error: describeError(error) };
  }
}
