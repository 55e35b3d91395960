import { accountsOf, secretIn, secretVariable, settingsWithSecret } from "../../channels/accounts.js";
import { loadChannel } from "../../channels/registry.js";
import type { Channel, Person } from "../../channels/types.js";
import { setIn } from "../../core/json/edit.js";
import { MAIN } from "../../runtime/agents.js";
import { changeConfig } from "../../runtime/config.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { askHidden, secretFromInput } from "../terminal/secret-input.js";
import { type AccountName, accountName, nameOf } from "./account-name.js";
import { channelsAt, findAccount } from "./at-home.js";
import type { addCommand } from "./commands.js";
import { optionOwners } from "./declared.js";
import { linkAccount } from "./link-account.js";
import { nextSteps } from "./next-steps.js";

export async function run({ values, words: [file] }: Arguments<typeof addCommand>): Promise<number> {
  const name = accountName(file);
  const channel = await loadChannel(name.channel);
  const options = await settingsGiven(values, channel);
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
        throw usageError(`no agent "${agent}" in the config`);
      }
      if (values["no-test"] === true) return;
      const account = findAccount(accountsOf(config.channels), name);
      me = await channel.whoami?.(settingsWithSecret(account, channel, process.env), fetch);
    },
  );
  if (channel.secret === undefined && values["no-test"] !== true) me = await linkAccount(home, name, channel);
  await writeResult(values.json, "", { ...name, me });
  for (const line of nextSteps(name, { channel, me, isNew, kept: secret.kept })) reportLine(line);
  return 0;
}

/** The settings given as options. Options of another channel are rejected. */
async function settingsGiven(values: object, { options = {} }: Channel): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const [name, owners] of await optionOwners()) {
    const given = new Map(Object.entries(values)).get(name);
    if (typeof given !== "string") continue;
    const option = options[name];
    if (option === undefined) throw usageError(`--${name} applies only to ${owners.join(", ")}`);
    settings[name] = option.read?.(given) ?? given;
  }
  return settings;
}

interface Secret {
  /** To be written to the config, by field. */
  stored: Record<string, string>;
  /** The environment variable that holds it instead. */
  kept: string | undefined;
}

async function secretOf(name: AccountName, { secret: field }: Channel, fromInput: boolean): Promise<Secret> {
  if (field === undefined) return { stored: {}, kept: undefined };
  const variable = secretVariable(name, field);
  const isSet = secretIn(process.env, name, field) !== undefined;
  if (isSet && fromInput) {
    throw usageError(`${variable} is set and overrides the stored token: unset it, or drop --token-stdin`);
  }
  if (isSet) return { stored: {}, kept: variable };
  if (!fromInput && process.stdin.isTTY !== true) {
    throw usageError(`the ${field} is missing: pipe it in with --token-stdin, or set ${variable}`);
  }
  const secret = fromInput
    ? await secretFromInput()
    : await askHidden(`${nameOf(name)} ${field} (not shown): `);
  if (!/^\P{C}+$/u.test(secret)) throw usageError(`the ${field} must be one line of text`);
  return { stored: { [field]: secret }, kept: undefined };
}
