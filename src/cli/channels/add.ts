import { accountsOf, secretIn, secretVariable, settingsWithSecret } from "../../channels/accounts.js";
import { loadChannel } from "../../channels/registry.js";
import type { Channel, Person } from "../../channels/types.js";
import { setIn } from "../../core/json/edit.js";
import { MAIN } from "../../runtime/agents.js";
import { changeConfig } from "../../runtime/config.js";
import { parseArguments, usageError } from "../arguments.js";
import { writeResult } from "../sessions/result.js";
import { tell } from "../tell.js";
import { type AccountName, accountName, nameOf } from "./account-name.js";
import { channelsAt, commonOptions, findAccount } from "./at-home.js";
import { linkAccount } from "./link-account.js";
import { nextSteps } from "./next-steps.js";
import { askHidden, secretFromInput } from "./secret-input.js";
import { optionOwners, settingsGiven } from "./setting-options.js";

const COMMAND = "channels add";

export async function run(args: string[]): Promise<number> {
  const owners = await optionOwners();
  const { values, file } = parseArguments(
    COMMAND,
    args,
    {
      ...commonOptions,
      "token-stdin": { type: "boolean" },
      "no-test": { type: "boolean" },
      agent: { type: "string" },
      ...owners.parsed,
    },
    "account",
  );
  const name = accountName(COMMAND, file);
  const channel = await loadChannel(name.channel);
  const options = settingsGiven(COMMAND, values, channel, owners);
  const { home, accounts } = await channelsAt(values.home);
  const isNew = !accounts.some(
    ({ channel, account }) => channel === name.channel && account === name.account,
  );
  const secret = await secretOf(name, channel, values["token-stdin"] === true);
  const given: Record<string, string> = {
    ...options,
    ...(values.agent === undefined ? {} : { agent: values.agent }),
    ...secret.stored,
  };
  const path = ["channels", name.channel, name.account] as const;
  let me: Person | undefined;
  await changeConfig(
    home,
    (text) =>
      isNew
        ? setIn(text, path, given)
        : Object.entries(given).reduce(
            (edited, [field, value]) => setIn(edited, [...path, field], value),
            text,
          ),
    async (config) => {
      const { agent = MAIN } = values;
      if (agent !== MAIN && !Object.hasOwn(config.agents ?? {}, agent)) {
        throw usageError(COMMAND, `the configuration has no agent "${agent}"`);
      }
      if (values["no-test"] === true) return;
      const account = findAccount(accountsOf(config.channels), name);
      me = await channel.whoami?.(settingsWithSecret(account, channel, process.env), fetch);
    },
  );
  if (channel.secret === undefined && values["no-test"] !== true) me = await linkAccount(home, name, channel);
  await writeResult(values.json, "", { ...name, ...(me === undefined ? {} : { me }) });
  for (const line of nextSteps(name, { channel, me, isNew, kept: secret.kept })) tell(line);
  return 0;
}

interface Secret {
  /** What goes into the file, by its field. */
  stored: Record<string, string>;
  /** The variable it stays in. */
  kept: string | undefined;
}

async function secretOf(name: AccountName, { secret: field }: Channel, fromInput: boolean): Promise<Secret> {
  if (field === undefined) return { stored: {}, kept: undefined };
  const variable = secretVariable(name, field);
  const isSet = secretIn(process.env, name, field) !== undefined;
  if (isSet && fromInput) {
    throw usageError(
      COMMAND,
      `${variable} is set, and comes before what is stored: unset it, or leave out --token-stdin`,
    );
  }
  if (isSet) return { stored: {}, kept: variable };
  if (!fromInput && process.stdin.isTTY !== true) {
    throw usageError(COMMAND, `the ${field} is missing: pipe it in with --token-stdin, or set ${variable}`);
  }
  const secret = fromInput
    ? await secretFromInput()
    : await askHidden(`The ${field} of ${nameOf(name)} (not shown): `);
  if (!/^\P{C}+$/u.test(secret)) throw usageError(COMMAND, `the ${field} has to be one line of text`);
  return { stored: { [field]: secret }, kept: undefined };
}
